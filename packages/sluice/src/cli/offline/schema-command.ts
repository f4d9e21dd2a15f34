import { Command } from 'commander'
import type { SchemaFlags } from './configure/write-schema.ts'

/** `sluice schema`: prints the JSON Schema of workspace files, for editors. */
export function schemaCommand(): Command {
  return new Command('schema')
    .description('print the JSON Schema of workspace files, with which editors complete and check them')
    .option('--workspace <file>', 'workspace file whose destinationPackages are known as well')
    .option('--out <file>', 'write it to a file instead')
    .addHelpText(
      'after',
      `
The package has this schema for the built-in types, as node_modules/sluice/dist/workspace.schema.json; the first line
of a workspace file names it. With types of packages, write your own beside the workspace file:

  # yaml-language-server: $schema=./workspace.schema.json

Examples:
  sluice schema --workspace workspace.yaml --out workspace.schema.json
  sluice schema > workspace.schema.json`,
    )
    .action(async (flags: SchemaFlags) => (await import('./configure/write-schema.ts')).writeSchema(flags))
}
