import { Command } from 'commander'
import { CliError } from './cli-error.ts'
import { printable } from './printable.ts'
import { askServer, type ServerFlags, withServerFlags } from './server-client.ts'
import { table } from './table.ts'
import { wholeNumber } from './whole-number.ts'

interface Letter {
  readonly id: string
  readonly destinationId: string
  readonly messageId: string
  readonly at: string
  readonly stage: string
  readonly reason: string
}

interface Page {
  readonly data: readonly Letter[]
  readonly usage: { readonly letters: number; readonly lettersMax: number; readonly share: number }
  readonly paging: { readonly next?: string }
}

interface ChoiceFlags extends ServerFlags {
  readonly destination?: string
}

/** Of what senders and destinations wrote. */
const cellCharsMax = 100

/** `sluice dead-letters`: what failed at the destinations of a running server. */
export function deadLettersCommand(): Command {
  const list = withServerFlags(new Command('list'))
    .description('the events that failed, oldest first')
    .option('--destination <id>', 'only those of this destination')
    .option('--limit <number>', 'how many', wholeNumber, 100)
    .addHelpText(
      'after',
      `\nExamples:
  sluice dead-letters list
  sluice dead-letters list --destination crm --limit 20`,
    )
    .action(listLetters)
  const show = withServerFlags(new Command('show'))
    .argument('<id>', 'of the letter')
    .description('one event with the request, the reply and the reason, as JSON')
    .addHelpText(
      'after',
      `\nExamples:
  sluice dead-letters show 01900000-0000-7000-8000-000000000003`,
    )
    .action(async (id: string, flags: ServerFlags) =>
      print(await askServer(flags, 'GET', `/v2/dead-letters/${encodeURIComponent(id)}`)),
    )
  const replay = withChoice('replay')
    .description('send events down the line of their destination again')
    .action(async (ids: readonly string[], flags: ChoiceFlags) => {
      const body = choiceOf(ids, flags)
      const { replayed } = await askServer<{ replayed: number }>(flags, 'POST', '/v2/dead-letters/replay', body)
      process.stdout.write(flags.json ? `${JSON.stringify({ replayed })}\n` : `${replayed} on their way\n`)
    })
  const remove = withChoice('remove')
    .description('forget events that failed, for good')
    .action(async (ids: readonly string[], flags: ChoiceFlags) => {
      const body = choiceOf(ids, flags)
      const { removed } = await askServer<{ removed: number }>(flags, 'POST', '/v2/dead-letters/remove', body)
      process.stdout.write(flags.json ? `${JSON.stringify({ removed })}\n` : `${removed} removed\n`)
    })
  return new Command('dead-letters')
    .description('events that failed at a destination: look at them, send them again, remove them')
    .addCommand(list)
    .addCommand(show)
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

/** A command that does something with letters. */
function withChoice(name: string): Command {
  return withServerFlags(new Command(name))
    .argument('[ids...]', 'of letters')
    .option('--destination <id>', 'all letters of this destination, instead of ids')
    .addHelpText(
      'after',
      `\nExamples:
  sluice dead-letters ${name} --destination crm
  sluice dead-letters ${name} 01900000-0000-7000-8000-000000000003`,
    )
}

function choiceOf(ids: readonly string[], { destination }: ChoiceFlags) {
  if (ids.length > 0 === (destination !== undefined)) throw new CliError('name either ids or a --destination')
  return destination === undefined ? { ids } : { destinationId: destination }
}

async function listLetters(flags: ChoiceFlags & { readonly limit: number }): Promise<void> {
  const letters: Letter[] = []
  const query = new URLSearchParams({ limit: String(Math.min(flags.limit, 1_000)) })
  if (flags.destination !== undefined) query.set('destinationId', flags.destination)
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
  const rows = shown.map(({ id, at, destinationId, stage, messageId, reason }) => [
    id,
    at,
    destinationId,
    stage,
    printable(messageId).slice(0, cellCharsMax),
    printable(reason.split('\n', 1)[0] ?? '').slice(0, cellCharsMax),
  ])
  if (rows.length > 0)
    process.stdout.write(`${table([['id', 'at', 'destination', 'stage', 'message', 'reason'], ...rows], 6)}\n`)
  const share = Math.round((usage?.share ?? 0) * 100)
  process.stderr.write(`${usage?.letters ?? 0} dead letters, ${share} % of what is kept of all workspaces\n`)
}

function print(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)
}
