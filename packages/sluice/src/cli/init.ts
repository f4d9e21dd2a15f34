import { Command } from 'commander'
import type { InitFlags } from './init/init-project.ts'

/** `sluice init`: a small project to start from. */
export function initCommand(): Command {
  return new Command('init')
    .description('make a project: a transformation in TypeScript, a library, events, tests')
    .argument('[folder]', 'where; made when it is not there', '.')
    .option('--force', 'write over files that are there')
    .addHelpText(
      'after',
      `
A package.json that is there gets the script "test" and what is missing in devDependencies. Other files of the same name
stop it, and stay as they are; with --force they are written over.

Examples:
  sluice init my-transformations && cd my-transformations && npm install && npm test
  sluice init`,
    )
    .action(async (folder: string, flags: InitFlags) =>
      (await import('./init/init-project.ts')).initProject(folder, flags),
    )
}
