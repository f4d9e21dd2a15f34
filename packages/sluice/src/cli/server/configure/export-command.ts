import { Command } from 'commander'
import { withServerFlags } from '../ask-server.ts'
import type { ExportFlags } from './run-export.ts'

/** `sluice export`: writes what a server has as a workspace file. */
export function exportCommand(): Command {
  return withServerFlags(new Command('export'), 'one JSON object: the workspace and its variables')
    .description('write the configuration of a server as a workspace file')
    .option('--out <file>', 'write it to a new file (default: print it)')
    .option('--force', 'overwrite an existing file')
    .option('--with-write-keys', 'keep write keys, which the API shows (default: variables)')
    .addHelpText(
      'after',
      `
Secrets become variables (env:NAME), listed on standard error: the API does not show them. sluice apply with the
variables set, or with --keep-secrets, finds the file equal to the server. Code of connected transformations and of all
libraries is included. The token needs the scope read; for write keys write, for access tokens admin.

Examples:
  sluice export --out workspace.yaml
  sluice export --profile staging | sluice plan /dev/stdin --keep-secrets`,
    )
    .action(async (flags: ExportFlags) => (await import('./run-export.ts')).runExport(flags))
}
