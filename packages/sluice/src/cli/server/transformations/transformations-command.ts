import { Command } from 'commander'
import { completeIds } from '../../flags/completed-values.ts'
import { withServerFlags } from '../ask-server.ts'
import type { TransformationFlags } from './run-transformations.ts'

/** `sluice transformations`: the versions and connections of transformations on a server. */
export function transformationsCommand(): Command {
  const load = () => import('./run-transformations.ts')
  const sub = (name: string, description: string, example: string): Command =>
    withServerFlags(new Command(name), 'JSON')
      .description(description)
      .addHelpText('after', `\nExamples:\n  sluice transformations ${example}`)
  const withName = (command: Command): Command =>
    command.addArgument(completeIds('<transformation>', 'name or id of the transformation', 'transformations'))
  const list = sub('list', 'list transformations with their live versions and destinations', 'list').action(
    async (flags: TransformationFlags) => (await load()).listTransformations(flags),
  )
  const show = withName(sub('show', 'show a transformation with its code', 'show mask-orders')).action(
    async (name: string, flags: TransformationFlags) => (await load()).showTransformation(name, flags),
  )
  const versions = withName(sub('versions', 'list the versions of a transformation', 'versions mask-orders')).action(
    async (name: string, flags: TransformationFlags) => (await load()).listVersions(name, flags),
  )
  const diff = withName(
    sub(
      'diff',
      'compare two versions: by default the live one with the newest',
      'diff mask-orders 0190f0a2-0000-7000-8000-000000000001',
    ),
  )
    .argument('[from]', 'version id (default: the live one)')
    .argument('[to]', 'version id (default: the newest one)')
    .action(async (name: string, from: string | undefined, to: string | undefined, flags: TransformationFlags) =>
      (await load()).diffVersions(name, from, to, flags),
    )
  const rollback = withName(
    sub(
      'rollback',
      'publish an earlier version again: by default the one before the live one',
      'rollback mask-orders --yes',
    ),
  )
    .option('--to <version>', 'version id')
    .option('--yes', 'do not ask for confirmation')
    .action(async (name: string, flags: TransformationFlags & { readonly to?: string }) =>
      (await load()).rollBack(name, flags),
    )
  const connection = (action: 'connect' | 'disconnect', description: string): Command =>
    withName(sub(action, description, `${action} mask-orders crm`))
      .addArgument(completeIds('<destination>', 'id of the destination', 'destinations'))
      .action(async (name: string, destination: string, flags: TransformationFlags) =>
        (await load()).connectTransformation(action, name, destination, flags),
      )
  const remove = withName(sub('delete', 'disconnect and delete a transformation', 'delete mask-orders --yes'))
    .option('--yes', 'do not ask for confirmation')
    .action(async (name: string, flags: TransformationFlags) => (await load()).deleteTransformation(name, flags))
  const command = new Command('transformations').description(
    'list, compare, roll back, connect and delete the transformations of a server',
  )
  const connect = connection('connect', 'run a transformation for a destination, in place of the one it has')
  const disconnect = connection('disconnect', 'stop running a transformation for a destination')
  for (const each of [list, show, versions, diff, rollback, connect, disconnect, remove]) command.addCommand(each)
  return command.addHelpText(
    'after',
    `
sluice push publishes new code.

Examples:
  sluice transformations list
  sluice transformations diff mask-orders
  sluice transformations rollback mask-orders`,
  )
}
