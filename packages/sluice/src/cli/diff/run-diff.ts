import { writeFile } from 'node:fs/promises'
import { createSecretMask } from '@sluice/destinations/kit'
import { diffRuns, groupName, OfflineLoadError } from '@sluice/testing'
import { maskedReport } from '../../diffs/masked-report.ts'
import { CliError } from '../cli-error.ts'
import { type CredentialFlags, credentialsOf } from '../flags/credential-flags.ts'
import type { DestinationFlags } from '../flags/destination-flags.ts'
import { type SandboxFlags, sandboxOptionsOf } from '../flags/sandbox-flags.ts'
import { printLine } from '../terminal/print-line.ts'
import { Progress } from '../terminal/progress.ts'
import { type DiffEventsFlags, openDiffEvents } from './diff-events.ts'
import { diffHtml } from './diff-html.ts'
import { diffMarkdown } from './diff-markdown.ts'
import { diffText } from './diff-text.ts'
import { diffedWays } from './diffed-ways.ts'
import { openGroups, readAccepted } from './read-accepted.ts'

export interface DiffFlags extends SandboxFlags, DestinationFlags, CredentialFlags, DiffEventsFlags {
  readonly now?: string
  readonly accept?: string
  readonly markdown?: string
  readonly html?: string
  readonly showPersonalData?: true
  readonly json?: true
}

/** Runs `sluice diff`. Exit status 1 when a group is not accepted, 2 when nothing could be compared. */
export async function runDiff(before: string, after: string, flags: DiffFlags): Promise<void> {
  await compare(before, after, flags).catch((error: unknown) => {
    if (error instanceof CliError) throw new CliError(error.message, 2)
    // A bug, too, must not have the status of a difference.
    throw new CliError(error instanceof Error ? (error.stack ?? error.message) : String(error), 2)
  })
}

async function compare(before: string, after: string, flags: DiffFlags): Promise<void> {
  const accepted = await readAccepted(flags.accept)
  const progress = new Progress(process.stderr)
  const { ways, masks } = await diffedWays(before, after, flags)
  if (ways.length === 0) throw new CliError('no destination is enabled and connected on either side')
  const showsPersonalData = flags.showPersonalData === true
  const credentials = await credentialsOf(flags)
  const { events, sourceOf, place, refused } = await openDiffEvents(flags, (read) =>
    progress.update(`${read.toLocaleString('en')} events read`),
  )
  const report = await diffRuns(ways, events, {
    sandbox: await sandboxOptionsOf(flags),
    now: timeOf(flags.now),
    conditions: { credentials, ...(sourceOf === undefined ? {} : { sourceOf }) },
    onProgress: (events) => progress.update(`${events.toLocaleString('en')} events`),
  }).catch((error: unknown) => {
    throw error instanceof OfflineLoadError || error instanceof RangeError ? new CliError(error.message) : error
  })
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
