import { Argument, Command } from 'commander'
import type { ImportFlags } from './configure/run-import.ts'

/** `sluice import`: turns an export of another product into a workspace file. */
export function importCommand(): Command {
  return new Command('import')
    .description('turn an export of RudderStack or Segment into a workspace file, and report what has no counterpart')
    .addArgument(new Argument('<product>', 'where the export comes from').choices(['rudderstack', 'segment']))
    .argument('<files...>', 'files of the export, JSON; a folder of rudder-cli')
    .option(
      '--out <folder>',
      'write workspace.yaml, and .env.example with its variables, into this folder (default: print it)',
    )
    .option('--with-secrets', 'keep the secrets of the export (default: variables, with a list of what to set)')
    .option('--force', 'overwrite an existing workspace.yaml')
    .option('--json', 'print one JSON object: the workspace, the report and the variables')
    .addHelpText(
      'after',
      `
RudderStack: workspaceConfig.json of a data plane, answers of the API (sources, destinations, connections), or a folder
of rudder-cli. Segment: answers of the Public API (sources, destinations, subscriptions, warehouses), the state of the
Terraform provider, or the output of terraform show -json. Several files are read as one export.

Write keys stay, because pages and apps show them to anyone. Destinations that must not run as they are get enabled:
false, with the reason in the report. Segment masks secrets in its answers, so those are variables in any case.

Examples:
  sluice import rudderstack workspaceConfig.json --out configuration
  sluice import segment sources.json destinations.json subscriptions.json --out configuration
  sluice import rudderstack configuration --json`,
    )
    .action(async (product: 'rudderstack' | 'segment', files: readonly string[], flags: ImportFlags) =>
      (await import('./configure/run-import.ts')).runImport(product, files, flags),
    )
}
