import { Command } from 'commander'
import { askServer, type ServerFlags, withServerFlags } from './server-client.ts'
import { table } from './table.ts'
import { wholeNumber } from './whole-number.ts'

interface Regulation {
  readonly id: string
  readonly regulationType: string
  readonly canceled: boolean
  readonly attributes: { readonly userId: string }
}

interface Page {
  readonly data: readonly Regulation[]
  readonly paging: { readonly next?: string }
}

interface Deletions {
  readonly regulation: Regulation & { readonly createdAt: string }
  readonly data: readonly {
    readonly destination: string
    readonly status: string
    readonly reason?: string
    readonly attempts: number
    readonly nextAt?: string
    readonly updatedAt: string
  }[]
  readonly isOver: boolean
}

/** `sluice regulations`: who is regulated at a running server, and what became of deletions. */
export function regulationsCommand(): Command {
  const list = withServerFlags(new Command('list'))
    .description('all regulations in the order of their creation')
    .option('--limit <number>', 'how many', wholeNumber, 100)
    .action(listRegulations)
  const report = withServerFlags(new Command('report'))
    .argument('<id>', 'of a regulation')
    .description('what became of the deletion of a user, destination by destination: to be filed')
    .action(reportDeletions)
  return new Command('regulations')
    .description('whose events are suppressed, and what became of deletions')
    .addCommand(list)
    .addCommand(report)
}

async function listRegulations(flags: ServerFlags & { readonly limit: number }): Promise<void> {
  const found: Regulation[] = []
  let path: string | undefined = `/v2/regulations?limit=${Math.min(flags.limit, 1_000)}`
  while (path !== undefined && found.length < flags.limit) {
    const page: Page = await askServer<Page>(flags, 'GET', path)
    found.push(...page.data)
    path = page.paging.next
  }
  const shown = found.slice(0, flags.limit)
  if (flags.json) return print(JSON.stringify(shown, null, 2))
  const rows = shown.map(({ id, regulationType, canceled, attributes }) => [
    id,
    regulationType,
    canceled ? 'cancelled' : 'active',
    attributes.userId,
  ])
  print(table([['id', 'type', 'state', 'user'], ...rows], 4))
}

async function reportDeletions(id: string, flags: ServerFlags): Promise<void> {
  const deletions = await askServer<Deletions>(flags, 'GET', `/v2/regulations/${encodeURIComponent(id)}/deletions`)
  if (flags.json) return print(JSON.stringify(deletions, null, 2))
  const { regulation, data, isOver } = deletions
  const rows = data.map(({ destination, status, attempts, updatedAt, nextAt, reason }) => [
    destination,
    status,
    String(attempts),
    updatedAt,
    [...(nextAt ? [`again at ${nextAt}`] : []), reason ?? ''].join(' ').trim(),
  ])
  print(`regulation ${regulation.id} of ${regulation.createdAt}${regulation.canceled ? ', cancelled' : ''}`)
  print(`user ${regulation.attributes.userId}`)
  print(
    rows.length === 0
      ? 'nothing is to be deleted: it only suppresses'
      : table([['destination', 'status', 'tries', 'since', 'reason'], ...rows], 5),
  )
  if (!isOver) print('not over yet')
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
