import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock, systemRandom } from '@sluice/core'
import { printable } from '@sluice/core/printable'
import { table } from '@sluice/core/table'
import type { DeletionReport, RegulationReport } from '@sluice/regulation/deletion-report'
import { Command, InvalidArgumentError } from 'commander'
import { CliError } from '../../cli-error.ts'
import { repeatableOption } from '../../flags/repeatable-option.ts'
import { wholeNumber } from '../../flags/whole-number.ts'
import { printLine } from '../../terminal/print-line.ts'
import { askServer, type ServerFlags, withServerFlags } from '../ask-server.ts'
import type { CertifyFlags } from '../certificates/certify.ts'
import type { CreateFlags } from './create-regulation.ts'
import type { UserFlags } from './with-user.ts'

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

/** Largest page the server returns. */
const pageSizeMax = 1_000

/** `sluice regulations`: lists the regulations of a running server, and the status of their deletions. */
export function regulationsCommand(): Command {
  const create = withServerFlags(new Command('create'))
    .description('suppress the events of a user, and with --delete erase what is held of the user, for good')
    .option('--user <userId>', 'the user; several: repeat it', (id: string, ids: readonly string[] = []) => [
      ...ids,
      id,
    ])
    .option('--email <address>', 'e-mail address of the user; without --user, finds the user whose events have it')
    .option('--phone <number>', 'the same with a phone number')
    .option('--anonymous-id <id>', 'the same with an anonymousId')
    .option('--delete', 'also delete the user in Sluice and at all destinations that can delete')
    .addHelpText(
      'after',
      `
The user is suppressed from the next batch on. A user is found by other identifiers only when exactly one userId has them
in the event log, as GET /v2/users finds it. Follow a deletion with sluice regulations report.

Examples:
  sluice regulations create --user user-42
  sluice regulations create --email ada@mail.test --delete`,
    )
    .action(async (flags: CreateFlags) => (await import('./create-regulation.ts')).createRegulation(flags))
  const list = withServerFlags(new Command('list'))
    .description('list all regulations in order of creation, including cancelled ones')
    .option('--user <userId>', 'only those of this user')
    .option('--email <address>', 'only those of the user whose events have this e-mail address')
    .option('--phone <number>', 'only those of the user whose events have this phone number')
    .option('--anonymous-id <id>', 'only those of the user whose events have this anonymousId')
    .option('--limit <number>', 'maximum number to list', wholeNumber, 100)
    .addHelpText(
      'after',
      `\nExamples:
  sluice regulations list --limit 20
  sluice regulations list --user user-42 --json`,
    )
    .action(listRegulations)
  const report = withServerFlags(new Command('report'))
    .argument('[id]', 'id of a regulation')
    .description('report the deletion of a user, destination by destination, as a record to file')
    .option(
      '--user <userId>',
      'all regulations of this user instead of one; needs the scope read in addition to operate',
    )
    .option('--email <address>', 'the same, of the user whose events have this e-mail address')
    .option('--phone <number>', 'the same, of the user whose events have this phone number')
    .option('--anonymous-id <id>', 'the same, of the user whose events have this anonymousId')
    .option('--out <file>', 'write it to a new file, readable by its owner only')
    .addHelpText(
      'after',
      `\nExamples:
  sluice regulations report --user user-42 --out user-42.txt
  sluice regulations report 01900000-0000-7000-8000-000000000003 --json`,
    )
    .action(reportDeletions)
  const certificate = withServerFlags(new Command('certificate'))
    .argument('<id>', 'id of a regulation whose deletions are over')
    .description('certify the deletion of a person: what was searched, how, and with which result, signed')
    .option('--out <file>', 'write it to a new file, readable by its owner only')
    .addOption(repeatableOption('--id <name=value>', 'write this id of the person into it', namedId))
    .addHelpText(
      'after',
      `
The certificate is JSON, signed with a key that is kept with the ledger. It names the person by fingerprints only, unless
ids are given.

Examples:
  sluice regulations certificate 01900000-0000-7000-8000-000000000003 --out user-42.json
  sluice regulations certificate 01900000-0000-7000-8000-000000000003 --id userId=user-42 --out user-42.json`,
    )
    // Loaded when needed, so that the other commands start faster.
    .action(async (id: string, flags: CertifyFlags) => (await import('../certificates/certify.ts')).certify(id, flags))
  const verify = withServerFlags(new Command('verify'))
    .argument('<file>', 'certificate of a deletion')
    .description('check a certificate of deletion, and search the person again')
    .addHelpText(
      'after',
      `
Checks the signature here, and at the server the key and the chain of the ledger up to the line that the certificate names.
Then searches everything that Sluice keeps, and the warehouses that the regulation deletes from. Other destinations cannot
be searched, and are listed as such. Exit status 0 only if all that holds and nothing of the person was found.

Examples:
  sluice regulations verify user-42.json
  sluice regulations verify user-42.json --json`,
    )
    .action(async (file: string, flags: ServerFlags) =>
      (await import('../certificates/verify-certificate.ts')).verifyCertificate(file, flags),
    )
  const tryNow = withServerFlags(new Command('try'))
    .argument('<id>', 'id of a regulation')
    .argument('<destination>', 'id of the destination where its deletion failed')
    .description('try a failed deletion now, in place of at its next time')
    .addHelpText('after', `\nExamples:\n  sluice regulations try 01900000-0000-7000-8000-000000000003 crm`)
    .action(tryDeletion)
  const rebuild = new Command('rebuild')
    .description('rebuild the suppression index of a store from its regulations, when it does not belong to them')
    .requiredOption('--data <folder>', 'folder of a store that no server uses')
    .addHelpText(
      'after',
      `
The index decides quickly whose events are suppressed. When the store was changed by hand, its index may no longer
belong to its regulations; the server then refuses all events. If the regulations are right, rebuild the index. Else
put a backup in the place of the store.

Examples:
  sluice regulations rebuild --data .sluice`,
    )
    .action(rebuildIndex)
  return new Command('regulations')
    .description('suppress users, report and certify their deletions, and rebuild the index of suppressed users')
    .addCommand(create)
    .addCommand(list)
    .addCommand(report)
    .addCommand(certificate)
    .addCommand(verify)
    .addCommand(tryNow)
    .addCommand(rebuild)
    .addHelpText(
      'after',
      `
Examples:
  sluice regulations create --user user-42 --delete
  sluice regulations list --user user-42
  sluice regulations report --user user-42 --out user-42.txt
  sluice regulations report 01900000-0000-7000-8000-000000000003 --json
  sluice regulations certificate 01900000-0000-7000-8000-000000000003 --out user-42.json
  sluice regulations verify user-42.json`,
    )
}

async function tryDeletion(id: string, destination: string, flags: ServerFlags): Promise<void> {
  const path = `/v2/regulations/${encodeURIComponent(id)}/deletions/${encodeURIComponent(destination)}/try`
  const report = await askServer<RegulationReport>(flags, 'POST', path)
  if (flags.json) return printLine(JSON.stringify(report, null, 2))
  printLine(`the deletion at ${destination} is tried now; sluice regulations report ${id} shows what came of it`)
}

/** The next start builds the index from the regulations. */
async function rebuildIndex({ data }: { readonly data: string }): Promise<void> {
  const [{ openSqliteStore }, { asCliError }] = await Promise.all([
    import('@sluice/storage'),
    import('../../as-cli-error.ts'),
  ])
  const path = join(data, 'sluice.db')
  await access(path, constants.R_OK).catch(() => {
    throw new CliError(`there is no store ${path}; give the folder that was given to sluice serve as --data`)
  })
  const store = await openSqliteStore({ path, clock: systemClock, random: systemRandom }).catch((error) =>
    Promise.reject(asCliError(error)),
  )
  await store.regulations.index.reset()
  const active = await store.regulations.activeAt(Number.MAX_SAFE_INTEGER)
  await store.close()
  printLine(`${path}: the index is rebuilt at the next start, from ${active} active regulations`)
}

/** Returns at most `limit` regulations, and whether there are more. */
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

/** Loaded when needed, so that other commands start faster. */
async function named<Flags extends UserFlags>(flags: Flags): Promise<Flags> {
  return (await import('./with-user.ts')).withUser(flags)
}

async function listRegulations(given: UserFlags & { readonly limit: number }): Promise<void> {
  const flags = await named(given)
  const { regulations, hasMore } = await regulationsOf(flags, flags.limit)
  const rows = regulations.map(({ id, regulationType, canceled, attributes }) => [
    id,
    regulationType,
    canceled ? 'cancelled' : 'active',
    printable(attributes.userId),
  ])
  if (flags.json) printLine(JSON.stringify(regulations, null, 2))
  else if (rows.length > 0) printLine(table([['id', 'type', 'state', 'user'], ...rows], 4))
  if (hasMore) process.stderr.write(`only the first ${regulations.length} are listed; raise --limit for more\n`)
}

async function reportDeletions(id: string | undefined, given: UserFlags & { readonly out?: string }): Promise<void> {
  const flags = await named(given)
  const report = await deletionReport(await idsOf(id, flags), flags)
  const { deletionReportEnd, deletionReportText } = await import('@sluice/regulation/deletion-report')
  const text = flags.json ? JSON.stringify(report, null, 2) : deletionReportText(report)
  if (flags.out === undefined) return printLine(text)
  const { fileText } = await import('../certificates/file-text.ts')
  await fileText(flags.out, text)
  const later = report.isOver ? '' : '; write another report later'
  printLine(`wrote ${flags.out} (${deletionReportEnd(report)}${later})`)
}

async function idsOf(id: string | undefined, flags: UserFlags): Promise<readonly string[]> {
  if ((id === undefined) === (flags.user === undefined))
    throw new CliError('give either the id of a regulation or a user: --user, --email, --phone or --anonymous-id')
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

/** Parses the value of `--id name=value`. */
function namedId(given: string): CertifyFlags['id'][number] {
  const at = given.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('the name of an id and its value, such as userId=user-42')
  return [given.slice(0, at), given.slice(at + 1)]
}
