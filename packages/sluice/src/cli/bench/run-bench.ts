import { access, constants, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Event, isJsonObject } from '@sluice/core'
import {
  type BenchReport,
  benchTransformation,
  type Comparison,
  compareTransformations,
  findSubject,
  OfflineLoadError,
  ProjectError,
  type Subject,
  shownPath,
} from '@sluice/testing'
import { CliError } from '../cli-error.ts'
import { Progress } from '../progress.ts'
import { readNdjson } from '../read-ndjson.ts'
import { type SandboxFlags, sandboxOptionsOf } from '../sandbox-flags.ts'
import { say } from '../say.ts'
import { benchHtml } from './bench-html.ts'
import { benchText, comparisonText } from './bench-text.ts'

export interface BenchFlags extends SandboxFlags {
  readonly events: string
  readonly workspace?: string
  readonly compare?: string
  readonly batches: readonly number[]
  readonly time: number
  readonly html?: string
  readonly json?: true
}

/** More say nothing new, and must be held in memory. */
const eventsMax = 100_000
const bytesMax = 256 * 1024 * 1024

/** What `sluice bench` does. */
export async function runBench(code: string | undefined, flags: BenchFlags): Promise<void> {
  const events = await eventsOf(flags.events)
  if (flags.workspace !== undefined) {
    if (code !== undefined || flags.compare !== undefined || flags.html !== undefined)
      throw new CliError('--workspace measures a whole flow; leave out the code, --compare and --html')
    return (await import('./bench-workspace.ts')).benchWorkspace(flags.workspace, events, flags)
  }
  if (code === undefined) throw new CliError('give the file of a transformation, or --workspace FILE')
  if (flags.html !== undefined) await requireWritable(flags.html)
  const subject = await subjectOf(code)
  const other = flags.compare === undefined ? undefined : await subjectOf(flags.compare, subject)
  const progress = new Progress(process.stderr)
  try {
    const { batches, isolation, workers, time: timeMs } = flags
    const sandbox = sandboxOptionsOf(flags)
    const onProgress = (what: string, done: number): void => progress.update(`${Math.round(done * 100)} % · ${what}`)
    const chosen = { ...(isolation && { isolations: [isolation] }), ...(workers && { workers: [workers] }) }
    const options = { batches, ...chosen, timeMs, sandbox, onProgress }
    const report = await benchTransformation(subject, events, options)
    const comparison =
      other && (await compareTransformations(subject, other, events, report.recommended, timeMs * 4, sandbox))
    progress.done('100 %')
    await tell(flags, report, comparison)
  } catch (error) {
    throw error instanceof OfflineLoadError || error instanceof RangeError ? new CliError(error.message) : error
  }
}

async function tell(flags: BenchFlags, report: BenchReport, comparison: Comparison | undefined): Promise<void> {
  if (flags.json) say(JSON.stringify({ ...report, ...(comparison && { comparison }) }))
  else {
    say(benchText(report))
    if (comparison) say(comparisonText(comparison))
  }
  if (flags.html === undefined) return
  await writeFile(flags.html, benchHtml(report, comparison)).catch(unwritable(flags.html))
  process.stderr.write(`${flags.html} holds the report\n`)
}

/** A report that has no place should be known before the measuring, not after. */
async function requireWritable(file: string): Promise<void> {
  const stats = await stat(file).catch(() => undefined)
  if (stats?.isDirectory()) throw new CliError(`--html: ${file} is a folder; give a file`)
  await access(stats ? file : dirname(file), constants.W_OK).catch(unwritable(file))
}

function unwritable(file: string) {
  return (error: NodeJS.ErrnoException): never => {
    throw new CliError(`--html: ${file} cannot be written (${error.code})`)
  }
}

/** Named as it is reached from here; of two with one name, the second goes by its file. */
async function subjectOf(file: string, besides?: Subject): Promise<Subject> {
  const { file: path, ...found } = await findSubject(file).catch((error: unknown) => {
    throw error instanceof ProjectError ? new CliError(error.message) : error
  })
  const shown = (name: string): string => shownPath(process.cwd(), name)
  const { main = path, libraries = {} } = found.files ?? {}
  const files = {
    main: shown(main),
    libraries: Object.fromEntries(Object.entries(libraries).map(([name, library]) => [name, shown(library)])),
  }
  return { ...found, files, name: found.name === besides?.name ? shown(path) : found.name }
}

async function eventsOf(file: string): Promise<readonly Event[]> {
  const stats = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`--events: ${file} cannot be read (${error.code})`)
  })
  if (stats.isDirectory()) throw new CliError(`--events: ${file} is a folder; give a file with one JSON object a line`)
  const tell = (text: string): unknown => process.stderr.write(`${text}\n`)
  const events: Event[] = []
  let others = 0
  for await (const event of readNdjson(file, { bytesMax })) {
    if (events.length === eventsMax) break
    if (isJsonObject(event)) events.push(event as Event)
    else others += 1
  }
  if (events.length === 0) throw new CliError(`--events: ${file} holds no event; one JSON object a line is expected`)
  if (events.length === eventsMax || stats.size > bytesMax)
    tell(`the first ${events.length.toLocaleString('en')} events of ${file} are taken`)
  if (others > 0) tell(`lines of ${file} that are no JSON objects are left out: ${others}`)
  return events
}
