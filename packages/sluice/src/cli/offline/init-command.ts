import { Command } from 'commander'
import type { InitFlags } from './init/init-project.ts'

/** `sluice init`: creates a small project to start from. */
export function initCommand(): Command {
  return new Command('init')
    .description('create a project: a transformation in TypeScript, a library, events, tests')
    .argument('[folder]', 'folder of the project; created when missing', '.')
    .option('--force', 'overwrite existing files')
    .addHelpText(
      'after',
      `
An existing package.json gets the script "test" and missing devDependencies. The command stops at other existing files of
the same names and leaves them unchanged; with --force it overwrites them.

Examples:
  sluice init my-transformations && cd my-transformations && npm install && npm test
  sluice init`,
    )
    .action(async (folder: string, flags: InitFlags) =>
      (await import('./init/init-project.ts')).initProject(folder, flags),
    )
}
