import { writeFile } from 'node:fs/promises'
import { Command } from 'commander'
import { CliError } from './cli-error.ts'
import { type DeletionReport, deletionReportText, type RegulationReport } from './deletion-report.ts'
import { printable } from './printable.ts'
import { say } from './say.ts'
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

interface UserFlags extends ServerFlags {
  readonly user?: string
}

/** Of a page, as many as the server gives at once. */
const pageSizeMax = 1_000

/** `sluice regulations`: who is regulated at a running server, and what became of deletions. */
export function regulationsCommand(): Command {
  const list = withServerFlags(new Command('list'))
    .description('all regulations in the order of their creation, cancelled ones included')
    .option('--user <userId>', 'only those of this user')
    .option('--limit <number>', 'how many', wholeNumber, 100)
    .addHelpText(
      'after',
      `\nExamples:
  sluice regulations list --limit 20
  sluice regulations list --user user-42 --json`,
    )
    .action(listRegulations)
  const report = withServerFlags(new Command('report'))
    .argument('[id]', 'of a regulation')
    .description('what became of the deletion of a user, destination by destination: to be filed')
    .option('--user <userId>', 'all regulations of this user instead of one; needs the scope read beside operate')
    .option('--out <file>', 'write it to a new file, which its owner alone may read')
    .addHelpText(
      'after',
      `\nExamples:
  sluice regulations report --user user-42 --out user-42.txt
  sluice regulations report 01900000-0000-7000-8000-000000000003 --json`,
    )
    .action(reportDeletions)
  return new Command('regulations')
    .description('whose events are suppressed, and what became of deletions')
    .addCommand(list)
    .addCommand(report)
    .addHelpText(
      'after',
      `
Examples:
  sluice regulations list --user user-42
  sluice regulations report --user user-42 --out user-42.txt
  sluice regulations report 01900000-0000-7000-8000-000000000003 --json`,
    )
}

/** @returns at most `limit`, and whether there are more. */
async function regulationsOf(flags: UserFlags, limit: number) {
  const found: Regulation[] = []
  const query = new URLSearchParams({ limit: String(Math.min(limit, pageSizeMax)) })
  if (flags.user !== undefined) query.set('userId', flags.user)
  let path: string | undefined = `/v2/regulations?${query}`
  while (path !== undefined && found.length < limit) {
    const page: Page = await askServer<Page>(flags, 'GET', path)
    found.push(...page.data)
    path = page.paging.next
  }
  return { regulations: found.slice(0, limit), hasMore: path !== undefined || found.length > limit }
}

async function listRegulations(flags: UserFlags & { readonly limit: number }): Promise<void> {
  const { regulations, hasMore } = await regulationsOf(flags, flags.limit)
  const rows = regulations.map(({ id, regulationType, canceled, attributes }) => [
    id,
    regulationType,
    canceled ? 'cancelled' : 'active',
    printable(attributes.userId),
  ])
  if (flags.json) say(JSON.stringify(regulations, null, 2))
  else if (rows.length > 0) say(table([['id', 'type', 'state', 'user'], ...rows], 4))
  if (hasMore)
    process.stderr.write(`there are more than these ${regulations.length}: --limit says how many are listed\n`)
}

async function reportDeletions(id: string | undefined, flags: UserFlags & { readonly out?: string }): Promise<void> {
  const report = await deletionReport(await idsOf(id, flags), flags)
  const text = flags.json ? JSON.stringify(report, null, 2) : deletionReportText(report)
  if (flags.out === undefined) return say(text)
  // A report that was filed is not overwritten.
  await writeFile(flags.out, `${text}\n`, { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`${flags.out} cannot be written anew (${error.code})`)
  })
  say(`${flags.out}: ${report.isOver ? 'over' : 'not over yet'}`)
}

async function idsOf(id: string | undefined, flags: UserFlags): Promise<readonly string[]> {
  if ((id === undefined) === (flags.user === undefined))
    throw new CliError('name either the id of a regulation or a --user')
  if (id !== undefined) return [id]
  const { regulations } = await regulationsOf(flags, Number.POSITIVE_INFINITY)
  if (regulations.length === 0) throw new CliError('there is no regulation of this user')
  return regulations.map((regulation) => regulation.id)
}

async function deletionReport(ids: readonly string[], flags: ServerFlags): Promise<DeletionReport> {
  const regulations: RegulationReport[] = []
  for (const id of ids)
    regulations.push(
      await askServer<RegulationReport>(flags, 'GET', `/v2/regulations/${encodeURIComponent(id)}/deletions`),
    )
  return {
    madeAt: new Date().toISOString(),
    server: new URL(flags.url).origin,
    regulations,
    isOver: regulations.every(({ isOver }) => isOver),
  }
}
