import { Argument, Command } from 'commander'
import { completeIds } from '../../flags/completed-values.ts'
import { withServerFlags } from '../ask-server.ts'
import type { TransformationFlags } from './run-transformations.ts'

const load = () => import('./run-transformations.ts')

/** What the commands of one kind of code have in common. */
interface CodeCommands {
  readonly noun: 'transformation' | 'library'
  readonly plural: 'transformations' | 'libraries'
  /** Name of the examples. */
  readonly example: string
  argument(): Argument
}

const ofTransformations: CodeCommands = {
  noun: 'transformation',
  plural: 'transformations',
  example: 'mask-orders',
  argument: () => completeIds('<transformation>', 'name or id of the transformation', 'transformations'),
}

const ofLibraries: CodeCommands = {
  noun: 'library',
  plural: 'libraries',
  example: 'money',
  argument: () => new Argument('<library>', 'name or id of the library'),
}

function subcommand({ plural }: CodeCommands, name: string, description: string, example: string): Command {
  return withServerFlags(new Command(name), 'JSON')
    .description(description)
    .addHelpText('after', `\nExamples:\n  sluice ${plural} ${example}`)
}

/** Creates the commands that both kinds have. */
function codeCommands(of: CodeCommands): readonly Command[] {
  const { noun, example } = of
  const words = async () => (await load()).codeWords[noun]
  const sub = (name: string, description: string, arguments_: string): Command =>
    subcommand(of, name, description, `${name} ${arguments_}`).addArgument(of.argument())
  const show = sub('show', `show a ${noun} with its code`, example).action(
    async (name: string, flags: TransformationFlags) => (await load()).showCode(await words(), name, flags),
  )
  const versions = sub('versions', `list the versions of a ${noun}`, example).action(
    async (name: string, flags: TransformationFlags) => (await load()).listVersions(await words(), name, flags),
  )
  const diff = sub(
    'diff',
    'compare two versions: by default the live one with the newest',
    `${example} 0190f0a2-0000-7000-8000-000000000001`,
  )
    .argument('[from]', 'version id (default: the live one)')
    .argument('[to]', 'version id (default: the newest one)')
    .action(async (name: string, from: string | undefined, to: string | undefined, flags: TransformationFlags) =>
      (await load()).diffVersions(await words(), name, from, to, flags),
    )
  const rollback = sub(
    'rollback',
    'publish an earlier version again: by default the one before the live one',
    `${example} --yes`,
  )
    .option('--to <version>', 'version id')
    .option('--yes', 'do not ask for confirmation')
    .action(async (name: string, flags: TransformationFlags & { readonly to?: string }) =>
      (await load()).rollBack(await words(), name, flags),
    )
  return [show, versions, diff, rollback]
}

function deleteCommand(of: CodeCommands, description: string): Command {
  return subcommand(of, 'delete', description, `delete ${of.example} --yes`)
    .addArgument(of.argument())
    .option('--yes', 'do not ask for confirmation')
    .action(async (name: string, flags: TransformationFlags) => {
      const { codeWords, deleteCode } = await load()
      return deleteCode(codeWords[of.noun], name, flags)
    })
}

/** `sluice transformations`: the versions and connections of transformations on a server. */
export function transformationsCommand(): Command {
  const list = subcommand(
    ofTransformations,
    'list',
    'list transformations with their live versions and destinations',
    'list',
  ).action(async (flags: TransformationFlags) => (await load()).listTransformations(flags))
  const connection = (action: 'connect' | 'disconnect', description: string): Command =>
    subcommand(ofTransformations, action, description, `${action} mask-orders crm`)
      .addArgument(ofTransformations.argument())
      .addArgument(completeIds('<destination>', 'id of the destination', 'destinations'))
      .action(async (name: string, destination: string, flags: TransformationFlags) =>
        (await load()).connectTransformation(action, name, destination, flags),
      )
  const command = new Command('transformations').description(
    'list, compare, roll back, connect and delete the transformations of a server',
  )
  const connect = connection('connect', 'run a transformation for a destination, in place of the one it has')
  const disconnect = connection('disconnect', 'stop running a transformation for a destination')
  const remove = deleteCommand(ofTransformations, 'disconnect and delete a transformation')
  for (const each of [list, ...codeCommands(ofTransformations), connect, disconnect, remove]) command.addCommand(each)
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

/** `sluice libraries`: the versions of libraries on a server. */
export function librariesCommand(): Command {
  const list = subcommand(ofLibraries, 'list', 'list libraries with their import names', 'list').action(
    async (flags: TransformationFlags) => (await load()).listLibraries(flags),
  )
  const command = new Command('libraries').description('list, compare, roll back and delete the libraries of a server')
  const remove = deleteCommand(ofLibraries, 'delete a library that no transformation imports')
  for (const each of [list, ...codeCommands(ofLibraries), remove]) command.addCommand(each)
  return command.addHelpText(
    'after',
    `
sluice push publishes new code. The server tests the live transformations that import a library before another version of it
goes live.

Examples:
  sluice libraries versions money
  sluice libraries rollback money`,
  )
}
