import { Command } from 'commander'
import { repeatableOption } from './repeatable-option.ts'
import { withServerFlags } from './server-client.ts'
import type { PushFlags } from './sync/push-project.ts'

/** `sluice push`: what a folder has goes to a server, tested and live. */
export function pushCommand(): Command {
  return withServerFlags(new Command('push'))
    .description(
      'save the transformations and libraries of a folder at a server, and make them live once their tests pass',
    )
    .argument('[folder]', 'of the project', '.')
    .option('--dry-run', 'show what differs, and do nothing')
    .option('--yes', 'do not ask')
    .option('--no-publish', 'save versions, make none of them live')
    .addOption(repeatableOption('--only <name>', 'this transformation or library', String, 'all'))
    .addHelpText(
      'after',
      `
What belongs together is found by name. The cases run first, all of them when a library changes; the server then tests
with their events, all versions together: when one fails, none goes live. What is only on the server is left alone, and
what somebody else changed there after it was shown is not written over. The token needs the scopes read, write and operate.

Examples:
  sluice push --dry-run
  sluice push --yes                                    # in CI, with SLUICE_URL and SLUICE_TOKEN
  sluice push --only mask-orders --no-publish`,
    )
    .action(async (folder: string, flags: PushFlags) =>
      (await import('./sync/push-project.ts')).pushProject(folder, flags),
    )
}
