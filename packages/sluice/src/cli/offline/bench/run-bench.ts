import { access, constants, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Event, isJsonObject } from '@sluice/core'
import type { Isolation } from '@sluice/sandbox'
import {
  type BenchCell,
  type BenchReport,
  benchTransformation,
  type Comparison,
  compareTransformations,
  findSubject,
  OfflineLoadError,
  ProjectError,
  recommendedCell,
  type Subject,
  shownPath,
} from '@sluice/testing'
import { CliError } from '../../cli-error.ts'
import { sandboxOptionsOf } from '../../flags/sandbox-flags.ts'
import { readNdjson } from '../../read-ndjson.ts'
import { printLine } from '../../terminal/print-line.ts'
import { Progress } from '../../terminal/progress.ts'
import type { BenchFlags } from './bench-flags.ts'
import { benchHtml } from './bench-html.ts'
import { benchText, comparisonText } from './bench-text.ts'

/** Maximum number of events to read. More add no information, and all are held in memory. */
const eventsMax = 100_000
const bytesMax = 256 * 1024 * 1024

/** Runs `sluice bench`. */
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
    const sandbox = await sandboxOptionsOf(flags)
    const onProgress = (what: string, done: number): void => progress.update(`${Math.round(done * 100)} % · ${what}`)
    const chosen = { isolations: isolation ? [isolation] : undefined, workers: workers ? [workers] : undefined }
    const options = { batches, ...chosen, timeMs, sandbox, onProgress }
    const report = await benchTransformation(subject, events, options)
    const comparison =
      other &&
      (await compareTransformations(subject, other, events, comparedCell(report, isolation), timeMs * 4, sandbox))
    progress.done('100 %')
    await printReport(flags, report, comparison)
  } catch (error) {
    throw error instanceof OfflineLoadError || error instanceof RangeError ? new CliError(error.message) : error
  }
}

/** Two transformations are compared as they usually run: isolated by batch, unless another isolation is requested. */
function comparedCell({ cells, recommended }: BenchReport, asked: Isolation = 'batch'): BenchCell {
  const usual = cells.filter(({ isolation }) => isolation === asked)
  return usual.length === 0 ? recommended : recommendedCell(usual)
}

async function printReport(flags: BenchFlags, report: BenchReport, comparison: Comparison | undefined): Promise<void> {
  if (flags.json) printLine(JSON.stringify({ ...report, comparison }))
  else {
    printLine(benchText(report))
    if (comparison) printLine(comparisonText(comparison))
  }
  if (flags.html === undefined) return
  await writeFile(flags.html, benchHtml(report, comparison)).catch(unwritable(flags.html))
  process.stderr.write(`report written to ${flags.html}\n`)
}

/** Checks before the measurement that the report can be written. */
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

/**
 * Loads a transformation, with paths relative to the working folder. A second one of the same name is named by its
 * file.
 */
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
  if (stats.isDirectory())
    throw new CliError(`--events: ${file} is a folder; give a file with one JSON object per line`)
  const note = (text: string): unknown => process.stderr.write(`${text}\n`)
  const events: Event[] = []
  let others = 0
  for await (const { value: event } of readNdjson(file, { bytesMax })) {
    if (events.length === eventsMax) break
    if (isJsonObject(event)) events.push(event as Event)
    else others += 1
  }
  if (events.length === 0) throw new CliError(`--events: ${file} contains no event; expected one JSON object per line`)
  if (events.length === eventsMax || stats.size > bytesMax)
    note(`the first ${events.length.toLocaleString('en')} events of ${file} are used`)
  if (others > 0) note(`${others} lines of ${file} are skipped because they are not JSON objects`)
  return events
}
