import { Command } from 'commander'
import type { InitFlags } from './init-project.ts'

/** `sluice init`: creates a small project to start from. */
export function initCommand(): Command {
  return new Command('init')
    .description('create a project of transformations with tests, or a destination of your own')
    .argument('[folder]', 'folder, created when missing (default: the current one, or NAME)')
    .option('--destination <name>', 'write a destination instead, for example my-product of type MY_PRODUCT')
    .option('--force', 'overwrite existing files')
    .addHelpText(
      'after',
      `
A project of transformations has one in TypeScript, a library, events and tests. A destination is plain JavaScript:
settings with forms, a mapping by rules, an example that is sent, one that fails, and their test. Its name has lower-case
words joined by hyphens.

An existing package.json gets the script "test" and missing devDependencies. The command stops at other existing files of
the same names and leaves them unchanged; with --force it overwrites them. Run from a checkout of Sluice, it links the
packages of the checkout, so that they can be installed before a version is published.

Examples:
  sluice init my-transformations && cd my-transformations && npm install && npm test
  sluice init
  sluice init --destination my-product   # definition, examples, an event and a test, in my-product/`,
    )
    .action(async (folder: string | undefined, flags: InitFlags) =>
      (await import('./init-project.ts')).initProject(folder, flags),
    )
}
