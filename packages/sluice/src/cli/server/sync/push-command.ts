import { Command, InvalidArgumentError } from 'commander'
import { repeatableOption } from '../../flags/repeatable-option.ts'
import { withServerFlags } from '../ask-server.ts'
import type { NewConnection } from './connect-all.ts'
import type { PushFlags } from './push-project.ts'

/** `sluice push`: publishes the code of a folder to a server. */
export function pushCommand(): Command {
  return withServerFlags(new Command('push'))
    .description(
      'save the transformations and libraries of a folder on a server, and publish them once their tests pass',
    )
    .argument('[folder]', 'folder of the project', '.')
    .option('--dry-run', 'show the differences and change nothing')
    .option('--yes', 'do not ask for confirmation')
    .option('--no-publish', 'save versions without publishing them')
    .option('--no-test', "do not run the project's tests; the server still runs its own")
    .addOption(repeatableOption('--only <name>', 'only this transformation or library', String, 'all'))
    .addOption(
      repeatableOption(
        '--connect <transformation=destination>',
        'also connect a transformation to a destination, by its id',
        connection,
      ),
    )
    .addHelpText(
      'after',
      `
Local and server code are matched by name. The tests of the project run first: the cases of changed code (of all
transformations when a library changes), with recorded responses to fetch, and all test files. The server then tests all
versions together with the events of their cases, and publishes all or none. There, fetch asks the network, as far as
sluice serve --fetch-allow permits. Code that is only on the server is left alone. If someone else changes the server's
code after the differences were shown, nothing is overwritten. The token needs the scopes read, write and operate.

Examples:
  sluice push --dry-run
  sluice push --yes                                    # in CI, with SLUICE_URL and SLUICE_TOKEN
  sluice push --connect mask-orders=crm
  sluice push --only mask-orders --no-publish`,
    )
    .action(async (folder: string, flags: PushFlags) => (await import('./push-project.ts')).pushProject(folder, flags))
}

function connection(value: string): NewConnection {
  const [, transformation, destinationId] = /^(.+)=([^=]+)$/.exec(value) ?? []
  if (transformation === undefined || destinationId === undefined)
    throw new InvalidArgumentError('expected TRANSFORMATION=DESTINATION, for example mask-orders=crm')
  return { transformation, destinationId }
}
