import { join } from 'node:path'
import { isJsonObject, type JsonValue } from '@sluice/core'
import { createSecretMask } from '@sluice/destinations/kit'
import type { Project, ProjectCase, ProjectTransformation } from '../project/project.ts'
import { caseFileAt, caseName } from '../project/project-files.ts'
import type { EventEnding } from '../run/offline-run.ts'
import type { CaseProblem, CaseReport } from './case-report.ts'
import { type CaseRunSetup, runEventsOf } from './case-run.ts'
import { placeOf } from './code-place.ts'
import { diffJson } from './diff.ts'
import { compactRequest, readExpected, writeExpected } from './expected-file.ts'
import { maskExpected } from './mask-expected.ts'
import { matches } from './matches.ts'

/** How to run cases. With a destination, its requests are compared as well. */
export interface CaseSetup extends CaseRunSetup {
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
  const { destination } = setup
  const codes = [transformation, ...project.libraries]
  const { subject, events, endings, log, timeMs, loadError, unanswered } = await runEventsOf(
    project,
    transformation,
    each,
    setup,
  )
  const about = {
    transformation: transformation.name,
    file: transformation.file,
    name: each.name,
    inputFile: each.inputFile,
    events: events.length,
    timeMs,
    log,
  }
  const placed = (message: string) => {
    const place = placeOf(message, subject, codes)
    return { message, place }
  }
  if (loadError !== undefined)
    return { ...about, status: 'failed', problems: [{ kind: 'load', ...placed(loadError) }], written: [], unpinned: [] }

  const problems: CaseProblem[] = []
  // Results of requests that failed for want of a response are not worth keeping.
  const update = setup.update === true && unanswered.length === 0
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
    if (file !== undefined && update) {
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
    const file =
      requests &&
      (await caseFileAt(join(requests.folder, destination.definition.type.toLowerCase(), caseName(requests.fileName))))
    await compare('requests', { items: made.items, failures: masked }, file)
  }
  for (const message of unanswered) problems.push({ kind: 'fetch', message })
  const status = written.length > 0 && problems.every(({ kind }) => kind === 'event') ? 'updated' : undefined
  return { ...about, status: status ?? (problems.length > 0 ? 'failed' : 'passed'), problems, written, unpinned }
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
