import { Command } from 'commander'
import { withServerFlags } from '../ask-server.ts'
import type { PullFlags } from './pull-project.ts'

/** `sluice pull`: writes the code of a server into a folder. */
export function pullCommand(): Command {
  return withServerFlags(new Command('pull'))
    .description('write the live transformations and libraries of a server into a folder')
    .argument('[folder]', 'folder of the project; may be empty', '.')
    .option('--dry-run', 'show the differences and change nothing')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText(
      'after',
      `
Code that is not live yet is written in its newest version. Names that are not valid file names, descriptions and import
names are stored in sluice.json. Code that is only in the folder is left alone. Differences are shown, and files are
overwritten after you confirm. An empty folder becomes a new project. The token needs the scope read.

Examples:
  sluice pull --dry-run
  sluice pull my-transformations --yes`,
    )
    .action(async (folder: string, flags: PullFlags) => (await import('./pull-project.ts')).pullProject(folder, flags))
}
