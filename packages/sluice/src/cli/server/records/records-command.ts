import { Command, InvalidArgumentError, Option } from 'commander'
import { completeIds, completeTypes } from '../../flags/completed-values.ts'
import { repeatableOption } from '../../flags/repeatable-option.ts'
import { withServerFlags } from '../ask-server.ts'
import type { ListFlags } from './list-records.ts'
import type { Member } from './member.ts'
import type { RecordKind } from './record-kind.ts'
import type { DeleteFlags, SaveFlags } from './save-record.ts'

/** `sluice sources`, `destinations` and `connections`: the records of a server. */
export function recordsCommand(kind: RecordKind): Command {
  const { noun, plural, description, exampleId, examples } = kind
  const list = withServerFlags(new Command('list'), 'a JSON list')
    .description(`list the ${plural} of the workspace`)
    .addHelpText('after', `\nExamples:\n  sluice ${plural} list\n  sluice ${plural} list --json`)
    .action(async (flags: ListFlags) => (await import('./list-records.ts')).listRecords(kind, flags))
  const show = withServerFlags(new Command('show'), 'one JSON object (the default)')
    .addArgument(idArgument(kind))
    .description(`show one ${noun}, secrets masked`)
    .addHelpText('after', `\nExamples:\n  sluice ${plural} show ${exampleId}`)
    .action(async (id: string, flags: ListFlags) => (await import('./list-records.ts')).showRecord(kind, id, flags))
  const create = withMembers(kind, withServerFlags(new Command('create'), 'one JSON object'))
    .description(`create a ${noun}`)
    .option('--id <id>', 'its id (default: a new one)')
    .addHelpText('after', `\n${examplesText(plural, 'create', examples.create)}`)
    .action(async (flags: SaveFlags) => (await import('./save-record.ts')).createRecord(kind, flags))
  const update = withMembers(kind, withServerFlags(new Command('update'), 'one JSON object'))
    .addArgument(idArgument(kind))
    .description(`change a ${noun}; what is not given stays as it is`)
    .addHelpText(
      'after',
      `
A change is refused when someone else has changed the ${noun} since it was read.

${examplesText(plural, 'update', examples.update)}`,
    )
    .action(async (id: string, flags: SaveFlags) => (await import('./save-record.ts')).updateRecord(kind, id, flags))
  const remove = withServerFlags(new Command('delete'), 'one JSON object')
    .addArgument(idArgument(kind))
    .description(`delete a ${noun}; one that is gone already is fine`)
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', `\nExamples:\n  sluice ${plural} delete ${exampleId} --yes`)
    .action(async (id: string, flags: DeleteFlags) => (await import('./save-record.ts')).deleteRecord(kind, id, flags))
  if (noun === 'destination') remove.option('--force', 'accepted; its waiting events become dead letters')
  const command = new Command(plural).description(description)
  for (const each of [list, show, create, update, remove]) command.addCommand(each)
  const [first = ''] = examples.create
  return command.addHelpText('after', `\nExamples:\n  sluice ${plural} list\n  sluice ${plural} create ${first}`)
}

function idArgument({ noun, plural }: RecordKind) {
  return completeIds('<id>', `id of the ${noun}`, plural)
}

function examplesText(plural: string, action: string, examples: readonly string[]): string {
  return ['Examples:', ...examples.map((example) => `  sluice ${plural} ${action} ${example}`)].join('\n')
}

/** Adds options for the members of a record. */
function withMembers({ noun }: RecordKind, command: Command): Command {
  if (noun === 'connection')
    command
      .addOption(completeIds('--source <id>', 'id of the source', 'sources'))
      .addOption(completeIds('--destination <id>', 'id of the destination', 'destinations'))
  else command.option('--name <name>', 'name for people')
  if (noun === 'destination')
    command
      .addOption(completeTypes('--type <type>', 'destination type: see sluice destination-types list'))
      .addOption(
        repeatableOption('--setting <name=value>', 'a setting; the value is JSON or text, env:NAME a variable', member),
      )
  if (noun === 'source') command.option('--type <type>', 'what kind of sender it is, such as javascript')
  return command
    .addOption(new Option('--enabled <enabled>', 'whether it takes events').choices(['true', 'false']))
    .addOption(
      repeatableOption('--set <member=value>', 'any other member; the value is JSON or text, null removes it', member),
    )
    .option('--file <file>', 'file with members, JSON or YAML; - is standard input')
}

function member(text: string): Member {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('expected NAME=VALUE')
  return [text.slice(0, at), text.slice(at + 1)]
}
