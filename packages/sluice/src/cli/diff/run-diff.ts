import { writeFile } from 'node:fs/promises'
import { createSecretMask } from '@sluice/destinations/kit'
import { diffRuns, groupName, OfflineLoadError, recordEndings } from '@sluice/testing'
import { maskedReport } from '../../diffs/masked-report.ts'
import { CliError } from '../cli-error.ts'
import { type CredentialFlags, credentialsOf } from '../flags/credential-flags.ts'
import type { DestinationFlags } from '../flags/destination-flags.ts'
import { type SandboxFlags, sandboxOptionsOf } from '../flags/sandbox-flags.ts'
import { printLine } from '../terminal/print-line.ts'
import { Progress } from '../terminal/progress.ts'
import { openBaseline, writeBaseline } from './baseline.ts'
import { type DiffEventsFlags, openDiffEvents } from './diff-events.ts'
import { diffHtml } from './diff-html.ts'
import { diffMarkdown } from './diff-markdown.ts'
import { diffText } from './diff-text.ts'
import { diffedWays } from './diffed-ways.ts'
import { openGroups, readAccepted } from './read-accepted.ts'

export interface DiffFlags extends SandboxFlags, DestinationFlags, CredentialFlags, DiffEventsFlags {
  readonly now?: string
  readonly save?: string
  readonly against?: string
  readonly accept?: string
  readonly markdown?: string
  readonly html?: string
  readonly showPersonalData?: true
  readonly json?: true
}

/** Runs `sluice diff`. Exit status 1 when a group is not accepted, 2 when nothing could be compared. */
export async function runDiff(before: string, after: string | undefined, flags: DiffFlags): Promise<void> {
  await compare(before, after, flags).catch((error: unknown) => {
    if (error instanceof CliError) throw new CliError(error.message, 2)
    // A bug, too, must not have the status of a difference.
    throw new CliError(error instanceof Error ? (error.stack ?? error.message) : String(error), 2)
  })
}

async function compare(before: string, after: string | undefined, flags: DiffFlags): Promise<void> {
  const accepted = await readAccepted(flags.accept)
  const { save, against } = flags
  checkSides(after, flags)
  const progress = new Progress(process.stderr)
  const { ways, masks } = await diffedWays(before, after ?? before, flags)
  if (ways.length === 0) throw new CliError('no destination is enabled and connected on either side')
  const showsPersonalData = flags.showPersonalData === true
  const credentials = await credentialsOf(flags)
  const { events, sourceOf, place, refused } = await openDiffEvents(flags, (read) =>
    progress.update(`${read.toLocaleString('en')} events read`),
  )
  const baseline = against === undefined ? undefined : await openBaseline(against)
  const options = {
    sandbox: await sandboxOptionsOf(flags),
    now: baseline?.now ?? timeOf(flags.now),
    conditions: { credentials, ...(sourceOf === undefined ? {} : { sourceOf }) },
    onProgress: (count: number) => progress.update(`${count.toLocaleString('en')} events`),
  }
  if (save !== undefined) {
    const saved = await writeBaseline(save, options.now, recordEndings(ways, events, options)).catch(asCliError)
    progress.done(`${saved.toLocaleString('en')} events`)
    if (saved === 0) throw new CliError(`${place} has no event to compare`)
    return
  }
  const compared = baseline
    ? diffRuns(baseline.before(ways), baseline.along(events), options)
    : diffRuns(ways, events, options)
  const report = await compared.catch(asCliError)
  progress.done(`${report.events.toLocaleString('en')} events`)
  if (refused() > 0) process.stderr.write(`${refused()} events are left out because ingestion refuses them\n`)
  if (report.events === 0) throw new CliError(`${place} has no event to compare`)
  // User code may put credentials into events.
  const secrets = [...masks, createSecretMask({ secrets: ['texts'] }, { texts: Object.values(credentials) })]
  const shown = maskedReport(report, secrets, { showsPersonalData })
  const open = openGroups(shown.groups, accepted)
  // What is not distinguished cannot be accepted.
  if (open.length > 0 || shown.groupsLeftOut > 0) process.exitCode = 1
  if (flags.html !== undefined) await write('--html', flags.html, diffHtml(shown, open))
  if (flags.markdown !== undefined && flags.markdown !== '-')
    await write('--markdown', flags.markdown, diffMarkdown(shown, open, !showsPersonalData))
  if (flags.json) printLine(JSON.stringify({ ...shown, open: open.map(groupName) }))
  else
    printLine(flags.markdown === '-' ? diffMarkdown(shown, open, !showsPersonalData).trimEnd() : diffText(shown, open))
}

/** Checks that the flags say what is compared with what. @throws CliError when they do not. */
function checkSides(after: string | undefined, { save, against, now }: DiffFlags): void {
  if (save !== undefined && against !== undefined) throw new CliError('give either --save or --against')
  const flag = save === undefined ? (against === undefined ? undefined : '--against') : '--save'
  if (flag === undefined && after === undefined)
    throw new CliError('give the file after the change, too; or --save, or --against with a baseline')
  if (flag !== undefined && after !== undefined) throw new CliError(`${flag} takes one file; leave ${after} out`)
  if (against !== undefined && now !== undefined) throw new CliError('--now is the time of the baseline; leave it out')
}

/** Throws the same error, as one of the command where the user can mend it. */
function asCliError(error: unknown): never {
  throw error instanceof OfflineLoadError || error instanceof RangeError ? new CliError(error.message) : error
}

function timeOf(given: string | undefined): number {
  const time = given === undefined ? Date.now() : Date.parse(given)
  if (Number.isNaN(time)) throw new CliError(`--now ${given}: expected a time such as 2026-01-01T00:00:00Z`)
  return time
}

async function write(flag: string, file: string, text: string): Promise<void> {
  await writeFile(file, text).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`${flag}: ${file} cannot be written (${error.code})`)
  })
}
