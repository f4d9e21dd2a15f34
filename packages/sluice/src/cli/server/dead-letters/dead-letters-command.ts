import { printable } from '@sluice/core/printable'
import { Command } from 'commander'
import { CliError } from '../../cli-error.ts'
import { completeIds } from '../../flags/completed-values.ts'
import { wholeNumber } from '../../flags/whole-number.ts'
import { printLine } from '../../terminal/print-line.ts'
import { outputWidth } from '../../terminal/wrap.ts'
import { askServer, type ServerFlags, withServerFlags } from '../ask-server.ts'
import { type DeadLetter, deadLettersText } from './dead-letters-text.ts'
import type { SaveTestFlags } from './save-test.ts'
import { violatingLetters } from './violating-letters.ts'

interface Page {
  readonly data: readonly DeadLetter[]
  readonly usage: { readonly letters: number; readonly lettersMax: number; readonly share: number }
  readonly paging: { readonly next?: string }
}

interface MaskFlags extends ServerFlags {
  readonly masked?: boolean
}

interface ChoiceFlags extends ServerFlags {
  readonly destination?: string
}

interface ReplayFlags extends ChoiceFlags {
  readonly violation?: string
}

/** `sluice dead-letters`: events that failed at the destinations of a running server. */
export function deadLettersCommand(): Command {
  const list = withMask('list')
    .description('list failed events, oldest first')
    .addOption(completeIds('--destination <id>', 'only those of this destination', 'destinations'))
    .option('--limit <number>', 'maximum number to list', wholeNumber, 100)
    .addHelpText(
      'after',
      `\nExamples:
  sluice dead-letters list
  sluice dead-letters list --destination crm --limit 20`,
    )
    .action(listDeadLetters)
  const show = withMask('show')
    .argument('<id>', 'id of the dead letter')
    .description('show one event with the request, the reply and the reason, as JSON')
    .addHelpText(
      'after',
      `\nExamples:
  sluice dead-letters show 01900000-0000-7000-8000-000000000003`,
    )
    .action(async (id: string, flags: MaskFlags) => {
      const query = flags.masked ? '?masked=true' : ''
      print(await askServer(flags, 'GET', `/v2/dead-letters/${encodeURIComponent(id)}${query}`))
    })
  const saveTest = withServerFlags(new Command('save-test'))
    .argument('<id>', 'id of the dead letter')
    .description('save the event as a test case of the transformation of its destination, where sluice test looks')
    .option('--project <folder>', 'folder of the project', '.')
    .option('--transformation <name>', 'another transformation of the project')
    .option('--keep-personal-data', 'do not mask personal data, which needs the scope write, and is audited')
    .addHelpText(
      'after',
      `\nExamples:
  sluice dead-letters save-test 01900000-0000-7000-8000-000000000003
  sluice dead-letters save-test 01900000-0000-7000-8000-000000000003 --project ../my-shop && sluice test ../my-shop`,
    )
    .action(async (id: string, flags: SaveTestFlags) => (await import('./save-test.ts')).saveTest(id, flags))
  const replay = withChoice('replay')
    .description('send failed events to their destination again')
    .option(
      '--violation <rule|key>',
      'events that a tracking plan keeps in quarantine, by what they violate: a rule, such as type or unplanned, or a key',
    )
    .addHelpText('after', '  sluice dead-letters replay --violation properties.total')
    .action(async (ids: readonly string[], flags: ReplayFlags) => {
      const replayed = await replayChosen(ids, flags)
      process.stdout.write(flags.json ? `${JSON.stringify({ replayed })}\n` : `${replayed} queued\n`)
    })
  const remove = withChoice('remove')
    .description('delete failed events for good')
    .action(async (ids: readonly string[], flags: ChoiceFlags) => {
      const body = choiceOf(ids, flags)
      const { removed } = await askServer<{ removed: number }>(flags, 'POST', '/v2/dead-letters/remove', body)
      process.stdout.write(flags.json ? `${JSON.stringify({ removed })}\n` : `${removed} removed\n`)
    })
  return new Command('dead-letters')
    .description('inspect, replay or remove events that failed at a destination')
    .addCommand(list)
    .addCommand(show)
    .addCommand(saveTest)
    .addCommand(replay)
    .addCommand(remove)
    .addHelpText(
      'after',
      `
Examples:
  sluice dead-letters list --destination crm
  sluice dead-letters replay --destination crm
  sluice dead-letters show 01900000-0000-7000-8000-000000000003`,
    )
}

/** Ids of one request. */
const idsPerRequest = 1_000

async function replayChosen(ids: readonly string[], flags: ReplayFlags): Promise<number> {
  const replay = async (body: object): Promise<number> =>
    (await askServer<{ replayed: number }>(flags, 'POST', '/v2/dead-letters/replay', body)).replayed
  if (flags.violation === undefined) return replay(choiceOf(ids, flags))
  if (ids.length > 0) throw new CliError('give either ids or a --violation')
  const found = await violatingLetters(flags, flags.violation, flags.destination)
  let replayed = 0
  for (let at = 0; at < found.length; at += idsPerRequest)
    replayed += await replay({ ids: found.slice(at, at + idsPerRequest) })
  return replayed
}

/** Creates a command that reads dead letters, with personal data or without. */
function withMask(name: string): Command {
  return withServerFlags(new Command(name)).option(
    '--masked',
    'mask personal data, which otherwise needs the scope write, and is audited',
  )
}

/** Creates a command for dead letters chosen by id or by destination. */
function withChoice(name: string): Command {
  return withServerFlags(new Command(name))
    .argument('[ids...]', 'ids of dead letters')
    .addOption(
      completeIds('--destination <id>', 'all dead letters of this destination, instead of ids', 'destinations'),
    )
    .addHelpText(
      'after',
      `\nExamples:
  sluice dead-letters ${name} --destination crm
  sluice dead-letters ${name} 01900000-0000-7000-8000-000000000003`,
    )
}

function choiceOf(ids: readonly string[], { destination }: ChoiceFlags) {
  if (ids.length > 0 === (destination !== undefined)) throw new CliError('give either ids or a --destination')
  return destination === undefined ? { ids } : { destinationId: destination }
}

async function listDeadLetters(flags: ChoiceFlags & MaskFlags & { readonly limit: number }): Promise<void> {
  const letters: DeadLetter[] = []
  const query = new URLSearchParams({ limit: String(Math.min(flags.limit, 1_000)) })
  if (flags.destination !== undefined) query.set('destinationId', flags.destination)
  if (flags.masked) query.set('masked', 'true')
  let path: string | undefined = `/v2/dead-letters?${query}`
  let usage: Page['usage'] | undefined
  while (path !== undefined && letters.length < flags.limit) {
    const page: Page = await askServer<Page>(flags, 'GET', path)
    letters.push(...page.data)
    usage = page.usage
    path = page.paging.next
  }
  const shown = letters.slice(0, flags.limit)
  if (flags.json) return print({ data: shown, usage })
  if (shown.length > 0) printLine(deadLettersText(shown, outputWidth()))
  const pages = new Set(
    shown.flatMap(({ code, docs }) => (docs === undefined ? [] : [`${code}: ${new URL(docs, flags.url)}`])),
  )
  for (const each of pages) process.stderr.write(`${printable(each)}\n`)
  const share = Math.round((usage?.share ?? 0) * 100)
  process.stderr.write(`${usage?.letters ?? 0} dead letters, ${share} % of the limit for all workspaces\n`)
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
}
