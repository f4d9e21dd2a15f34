import { join } from 'node:path'
import { type Event, isJsonObject, type JsonValue } from '@sluice/core'
import { createSecretMask } from '@sluice/destinations'
import { sampleEvents } from '@sluice/transformations'
import { type Project, type ProjectCase, ProjectError, type ProjectTransformation } from '../project/project.ts'
import { readProjectJson, shownPath } from '../project/project-files.ts'
import { type EventEnding, type OfflineDestination, OfflineLoadError, type Subject } from '../run/offline-run.ts'
import type { OfflineRunner } from '../run/offline-runner.ts'
import { batchMax } from '../run/run-offline.ts'
import type { CaseProblem, CaseReport } from './case-report.ts'
import { placeOf } from './code-place.ts'
import { readConditions } from './conditions.ts'
import { diffJson } from './diff.ts'
import { compactRequest, readExpected, writeExpected } from './expected-file.ts'
import { maskExpected } from './mask-expected.ts'
import { matches } from './matches.ts'
import { toSubject } from './to-subject.ts'

export interface CaseSetup {
  readonly runner: OfflineRunner
  /** Destination of the events; its requests are then compared as well. */
  readonly destination?: OfflineDestination
  /** Writes the actual results where they differ from the expected ones. */
  readonly update?: boolean
}

/** Results of one stage, in the order of the events. */
interface Made {
  readonly items: readonly JsonValue[]
  readonly failures: readonly { readonly index: number; readonly message: string; readonly item: number }[]
}

/**
 * Runs a case and compares its results with the expected ones. A failed event is represented by `{error}`; an expected
 * error may be the whole message or its first line. Source: packages/docs/api/transformations.md#test.
 * @throws ProjectError when a file of the case is invalid.
 */
export async function runCase(
  project: Project,
  transformation: ProjectTransformation,
  each: ProjectCase,
  setup: CaseSetup,
): Promise<CaseReport> {
  const { root } = project
  const { runner, destination } = setup
  const subject = toSubject(project, transformation)
  const codes = [transformation, ...project.libraries]
  const events = await readEvents(root, each)
  const conditions = { ...(await readConditions(project, each)), ...(destination && { destination }) }
  const { endings, log, timeMs, loadError } = await runBatches(runner, subject, events, conditions)
  const about = {
    transformation: transformation.name,
    file: transformation.file,
    name: each.name,
    ...(each.inputFile !== undefined && { inputFile: each.inputFile }),
    events: events.length,
    timeMs,
    log,
  }
  const placed = (message: string) => {
    const place = placeOf(message, subject, codes)
    return { message, ...(place && { place }) }
  }
  if (loadError !== undefined)
    return { ...about, status: 'failed', problems: [{ kind: 'load', ...placed(loadError) }], written: [], unpinned: [] }

  const problems: CaseProblem[] = []
  const written: string[] = []
  const unpinned: ('output' | 'requests')[] = []
  const compare = async (kind: 'output' | 'requests', made: Made, file: string | undefined): Promise<void> => {
    const found = file === undefined ? undefined : await readExpected(root, file)
    const expected = found && kind === 'requests' ? { ...found, items: found.items.map(maskedRequest) } : found
    const { items, failures } = withShortErrors(made, expected?.items)
    const stage = kind === 'output' ? 'transformation' : 'destination'
    for (const { index, message, item } of failures)
      if (!expected?.items.some((wanted) => matches(wanted, items[item] ?? null)))
        problems.push({ kind: 'event', index, stage, ...placed(message) })
    const diff = expected && diffJson(expected.items, items)
    if (diff?.paths.length === 0) return
    if (file !== undefined && setup.update) {
      await writeExpected(root, file, expected, items)
      written.push(file)
    } else if (file !== undefined && diff) problems.push({ kind, file, diff })
    else unpinned.push(kind)
  }
  const mask = destination && createSecretMask(destination.definition, destination.settings)
  const maskedRequest = (request: JsonValue): JsonValue =>
    compactRequest(mask ? (maskExpected(mask, request) as JsonValue) : request)
  await compare('output', outputsOf(endings), each.outputFile)
  if (destination && mask) {
    const made = requestsOf(endings, (request) => compactRequest(mask.request(request) as unknown as JsonValue))
    const masked = made.failures.map((failure) => ({ ...failure, message: String(mask.value(failure.message)) }))
    const { requests } = each
    const file = requests && join(requests.folder, destination.definition.type.toLowerCase(), requests.fileName)
    await compare('requests', { items: made.items, failures: masked }, file)
  }
  const status = written.length > 0 && problems.every(({ kind }) => kind === 'event') ? 'updated' : undefined
  return { ...about, status: status ?? (problems.length > 0 ? 'failed' : 'passed'), problems, written, unpinned }
}

async function readEvents(root: string, { inputFile }: ProjectCase): Promise<readonly Event[]> {
  if (inputFile === undefined) return sampleEvents
  const at = shownPath(root, inputFile)
  const value = await readProjectJson(root, inputFile)
  if (value === undefined) throw new ProjectError(`${at}: not there`)
  const events: readonly unknown[] = Array.isArray(value) ? value : [value]
  const wrong = events.findIndex((event) => !isJsonObject(event))
  if (wrong !== -1)
    throw new ProjectError(`${at}: [${wrong}] is ${JSON.stringify(events[wrong])}; events are objects, one or a list`)
  return events as readonly Event[]
}

/** Batches of the same size as in production. */
async function runBatches(
  runner: OfflineRunner,
  subject: Subject,
  events: readonly Event[],
  conditions: Parameters<OfflineRunner['run']>[2],
): Promise<{ endings: EventEnding[]; log: string[]; timeMs: number; loadError?: string }> {
  const all = { endings: [] as EventEnding[], log: [] as string[], timeMs: 0 }
  try {
    for (let start = 0; start === 0 || start < events.length; start += batchMax) {
      const { endings, log, timeMs } = await runner.run(subject, events.slice(start, start + batchMax), conditions)
      for (const ending of endings) all.endings.push(ending)
      for (const line of log) all.log.push(line)
      all.timeMs += timeMs
    }
    return all
  } catch (error) {
    if (error instanceof OfflineLoadError) return { ...all, loadError: error.message }
    throw error
  }
}

/** An event that failed in user code has no output; one that failed at the destination has. */
function outputsOf(endings: readonly EventEnding[]): Made {
  const items: JsonValue[] = []
  const failures: Made['failures'][number][] = []
  endings.forEach(({ output, error }, index) => {
    if (error && output.length === 0) {
      failures.push({ index, message: error.message, item: items.length })
      items.push({ error: error.message })
    } else for (const event of output as readonly JsonValue[]) items.push(event)
  })
  return { items, failures }
}

function requestsOf(
  endings: readonly EventEnding[],
  toItem: (request: NonNullable<EventEnding['requests']>[number]) => JsonValue,
): Made {
  const items: JsonValue[] = []
  const failures: Made['failures'][number][] = []
  endings.forEach(({ output, requests = [], error }, index) => {
    for (const request of requests) items.push(toItem(request))
    if (error === undefined || output.length === 0) return
    failures.push({ index, message: error.message, item: items.length })
    items.push({ error: error.message })
  })
  return { items, failures }
}

/** Frames change with every line of code, so an error is shortened to its first line unless the whole is expected. */
function withShortErrors({ items, failures }: Made, expected: readonly JsonValue[] = []): Made {
  const errors = new Set(expected.map((wanted) => (isJsonObject(wanted) ? wanted['error'] : undefined)))
  const short = [...items]
  for (const { item, message } of failures)
    short[item] = { error: errors.has(message) ? message : (message.split('\n')[0] ?? '') }
  return { items: short, failures }
}
