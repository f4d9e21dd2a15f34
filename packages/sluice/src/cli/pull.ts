import { Command } from 'commander'
import { withServerFlags } from './server-client.ts'
import type { PullFlags } from './sync/pull-project.ts'

/** `sluice pull`: what a server has goes into a folder. */
export function pullCommand(): Command {
  return withServerFlags(new Command('pull'))
    .description('write the transformations and libraries that are live at a server into a folder')
    .argument('[folder]', 'of the project; may be empty', '.')
    .option('--dry-run', 'show what differs, and do nothing')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      `
What is not live yet comes in its newest version. Names that a file name cannot hold, descriptions and import names are kept
in sluice.json. What is only in the folder is left alone; changes to what is at the server too are shown, and written over
once you agree. An empty folder becomes a project of its own. The token needs the scope read.

Examples:
  sluice pull --dry-run
  sluice pull my-transformations --yes`,
    )
    .action(async (folder: string, flags: PullFlags) =>
      (await import('./sync/pull-project.ts')).pullProject(folder, flags),
    )
}
