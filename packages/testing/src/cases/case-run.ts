import { type Event, isJsonObject } from '@sluice/core'
import { type FetchOptions, fetchNotAllowed } from '@sluice/sandbox'
import { sampleEvents } from '@sluice/transformations'
import { openRecordedFetch, type RecordedFetch } from '../fetch/recorded-fetch.ts'
import { type Project, type ProjectCase, ProjectError, type ProjectTransformation } from '../project/project.ts'
import { makeFolderOf, readCaseFile, readProjectFile, shownPath } from '../project/project-files.ts'
import {
  type EventEnding,
  type OfflineDestination,
  OfflineLoadError,
  type RunConditions,
  type Subject,
} from '../run/offline-run.ts'
import type { OfflineRunner } from '../run/offline-runner.ts'
import { batchMax } from '../run/run-offline.ts'
import { readConditions } from './conditions.ts'
import { toSubject } from './to-subject.ts'

/** How to run the events of cases. */
export interface CaseRunSetup {
  readonly runner: OfflineRunner
  /** Destination of the events. */
  readonly destination?: OfflineDestination
  /** Sends requests without a recorded response to the network, and records the responses. */
  readonly record?: boolean
  /** What may be fetched while recording. Default: any public host. */
  readonly network?: FetchOptions
  /** Values of `getCredential` in every case. Those of a case replace them by name. */
  readonly credentials?: Readonly<Record<string, string>>
}

/** What the events of a case became. */
export interface CaseRun {
  readonly subject: Subject
  readonly events: readonly Event[]
  /** One per event, in order; empty when the code cannot be loaded. */
  readonly endings: readonly EventEnding[]
  readonly log: readonly string[]
  readonly timeMs: number
  readonly loadError?: string
  /** Requests without a recorded response, each with advice. User code may have handled the errors itself. */
  readonly unanswered: readonly string[]
}

/**
 * Runs the events of a case under its conditions and with its recorded responses, without comparing the results.
 * @throws ProjectError when a file of the case is invalid.
 */
export async function runEventsOf(
  project: Project,
  transformation: ProjectTransformation,
  each: ProjectCase,
  setup: CaseRunSetup,
): Promise<CaseRun> {
  const { runner, destination } = setup
  const subject = toSubject(project, transformation)
  const events = await readEvents(project.root, each)
  const own = await readConditions(project, each)
  const credentials = { ...setup.credentials, ...own.credentials }
  const conditions = { ...own, credentials, destination }
  const recorded = await recordedFetchOf(project, each, setup, conditions)
  const run = await runBatches(runner, subject, events, { ...conditions, fetch: recorded?.fetch })
  if (recorded && each.fetch && setup.record) {
    await makeFolderOf(project.root, each.fetch.file)
    await recorded.save()
  }
  const missing = recorded ? recorded.unanswered : refusedFetch(project, each, run.endings)
  return { subject, events, ...run, unanswered: withShownPaths(project, missing) }
}

async function readEvents(root: string, { inputFile }: ProjectCase): Promise<readonly Event[]> {
  if (inputFile === undefined) return sampleEvents
  const at = shownPath(root, inputFile)
  const value = await readCaseFile(root, inputFile)
  if (value === undefined) throw new ProjectError(`${at}: not there`)
  const events: readonly unknown[] = Array.isArray(value) ? value : [value]
  const wrong = events.findIndex((event) => !isJsonObject(event))
  if (wrong !== -1)
    throw new ProjectError(`${at}: [${wrong}] is ${JSON.stringify(events[wrong])}; events are objects, one or a list`)
  return events as readonly Event[]
}

/** Opens the recordings of a case; undefined when it has none and none are to be made. */
async function recordedFetchOf(
  { root }: Project,
  { fetch }: ProjectCase,
  { record = false, network }: CaseRunSetup,
  { credentials }: RunConditions,
): Promise<RecordedFetch | undefined> {
  if (fetch === undefined) return undefined
  const { file, sharedFile } = fetch
  // Refuses files outside the project, because their content would appear in reports.
  const texts = [await readProjectFile(root, file), sharedFile && (await readProjectFile(root, sharedFile))]
  if (!record && texts.every((text) => text === undefined)) return undefined
  return openRecordedFetch({
    recordings: file,
    sharedFile,
    isRecording: record,
    network,
    credentials,
  }).catch((error: Error) => {
    throw new ProjectError(error.message.replaceAll(file, shownPath(root, file)))
  })
}

/** Returns advice when events failed because the case has no recorded responses. */
function refusedFetch({ root }: Project, { fetch }: ProjectCase, endings: readonly EventEnding[]): readonly string[] {
  if (!endings.some(({ error }) => error?.message.includes(fetchNotAllowed))) return []
  const remedy = fetch
    ? `sluice test --record asks the network once and stores the response in ${shownPath(root, fetch.file)}`
    : 'add a case with events of its own, which can have recorded responses'
  return [`user code fetches, and this case has no recorded response; ${remedy}`]
}

function withShownPaths({ root }: Project, messages: readonly string[]): readonly string[] {
  return [...new Set(messages)].map((message) => message.replaceAll(`${root}/`, ''))
}

/** Batches of the same size as in production. */
async function runBatches(
  runner: OfflineRunner,
  subject: Subject,
  events: readonly Event[],
  conditions: RunConditions,
): Promise<Pick<CaseRun, 'endings' | 'log' | 'timeMs' | 'loadError'>> {
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
