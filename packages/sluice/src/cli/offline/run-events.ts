import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { printable, printableLines } from '@sluice/core/printable'
import { createSecretMask, type SecretMask } from '@sluice/destinations/kit'
import {
  findSubject,
  OfflineLoadError,
  type OfflineOutcome,
  type OfflineSetup,
  ProjectError,
  runOffline,
  type Subject,
} from '@sluice/testing'
import { CliError } from '../cli-error.ts'
import { type CredentialFlags, credentialsOf } from '../flags/credential-flags.ts'
import type { DestinationFlags } from '../flags/destination-flags.ts'
import { type SandboxFlags, sandboxOptionsOf } from '../flags/sandbox-flags.ts'
import { requireReadable, standardInput } from '../read-ndjson.ts'
import { Progress } from '../terminal/progress.ts'
import { EventLines, isTrouble, type PlacedOutcome } from './event-lines.ts'
import { offlineDestination } from './offline-destination.ts'

export interface RunFlags extends SandboxFlags, DestinationFlags, CredentialFlags {
  readonly events: string
  readonly transformation?: string
  readonly library: readonly string[]
  readonly load?: true
}

/** Failed and rejected events that the summary names. */
const troubleShown = 5

/** Runs `sluice run`: prints results to standard output, and the log of user code and a summary to standard error. */
export async function runEvents(flags: RunFlags): Promise<void> {
  const setup = await setupOf(flags)
  await requireReadable('--events', flags.events)
  const { destination } = setup
  const mask = destination && createSecretMask(destination.definition, destination.settings)
  const progress = new Progress(process.stderr)
  // On a terminal, progress and results would write over each other.
  const showsProgress = process.stderr.isTTY && !process.stdout.isTTY
  const startedAt = performance.now()
  const counts = { passed: 0, dropped: 0, failed: 0, rejected: 0 }
  const trouble: string[] = []
  const codes = new Set<string>()
  const lines = new EventLines()
  const onLog = (log: readonly string[]): void => {
    for (const line of log) progress.note(`log: ${printableLines(line)}`)
  }
  try {
    for await (const outcome of runOffline(lines.of(flags.events), { ...setup, onLog })) {
      const shown = withoutSecrets(lines.placed(outcome), mask)
      counts[shown.outcome] += 1
      if (shown.error !== undefined) codes.add(shown.error.code)
      if (isTrouble(shown) && trouble.length < troubleShown) trouble.push(troubleText(flags.events, shown))
      if (!process.stdout.write(`${JSON.stringify(shown)}\n`))
        await new Promise((resolve) => process.stdout.once('drain', resolve))
      if (showsProgress) progress.update(summaryOf(counts, startedAt))
    }
  } catch (error) {
    if (error instanceof RangeError) throw new CliError(error.message)
    throw error instanceof OfflineLoadError ? new CliError(`--transformation: ${error.message}`) : error
  }
  const { failed, rejected } = counts
  for (const line of trouble) progress.note(line)
  if (failed + rejected > trouble.length) progress.note(`… and ${failed + rejected - trouble.length} more`)
  for (const code of codes) progress.note(`sluice explain ${code}  # what happened, why, and what to do`)
  progress.note(summaryOf(counts, startedAt))
  if (failed + rejected > 0) process.exitCode = 1
}

type Counts = Readonly<Record<OfflineOutcome['outcome'], number>>

function summaryOf(counts: Counts, startedAt: number): string {
  const events = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const parts = Object.entries(counts).map(([outcome, count]) => `${count} ${outcome}`)
  const time = `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`
  return `${events} event${events === 1 ? '' : 's'}: ${parts.join(', ')}  ${time}`
}

function troubleText(file: string, { line, outcome, reason, error }: PlacedOutcome): string {
  const [why = ''] = (error?.message ?? reason ?? '').split('\n', 1)
  return `${file === standardInput ? 'line ' : `${printable(file)}:`}${line} ${outcome}: ${printable(why)}`
}

/** Masks secrets, because output ends up in terminals, logs and tickets. */
function withoutSecrets(outcome: PlacedOutcome, mask: SecretMask | undefined): PlacedOutcome {
  const { requests, error } = outcome
  if (mask === undefined) return outcome
  return {
    ...outcome,
    ...(requests && { requests: requests.map(mask.request) }),
    ...(error && { error: { ...error, message: String(mask.value(error.message)) } }),
  }
}

type Library = NonNullable<Subject['libraries']>[number]

/** Returns what the flags choose. @throws CliError naming the flag that is wrong. */
export async function setupOf(flags: Omit<RunFlags, 'events'>): Promise<OfflineSetup> {
  const libraries = await Promise.all(
    flags.library.map(async (pair) => {
      const [, name, file] = /^([^=]+)=(.+)$/.exec(pair) ?? []
      if (name === undefined || file === undefined)
        throw new CliError(`--library ${pair}: expected NAME=FILE, for example pii=pii.js`)
      return { name, code: await readCode(file) }
    }),
  )
  const { transformation: file } = flags
  if (file === undefined && libraries.length > 0)
    throw new CliError('--library needs a --transformation that imports it')
  const destination = await offlineDestination(flags)
  return {
    transformation: file === undefined ? undefined : await transformationOf(file, libraries),
    sandbox: await sandboxOptionsOf(flags),
    credentials: await credentialsOf(flags),
    destination,
  }
}

/** Loads the code with the libraries of its project, some of them replaced by the given ones. */
async function transformationOf(file: string, given: readonly Library[]): Promise<Subject> {
  const { code, libraries = [] } = await findSubject(file).catch((error: unknown) => {
    throw error instanceof ProjectError ? new CliError(`--transformation: ${error.message}`) : error
  })
  const others = libraries.filter((library) => given.every(({ name }) => name !== library.name))
  return { name: basename(file), code, libraries: [...given, ...others] }
}

async function readCode(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => {
    throw new CliError(`--library: ${file} cannot be read`)
  })
}
