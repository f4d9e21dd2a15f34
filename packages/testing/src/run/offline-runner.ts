import {
  type Clock,
  createSeededRandom,
  type Event,
  type JsonObject,
  type Library,
  type SourcedEvent,
  type StageError,
  systemClock,
  systemRandom,
} from '@sluice/core'
import { createDestinationTransformStage, type DeliveryRequest, type DestinationDefinition } from '@sluice/destinations'
import { type Ending, runStage, type Tracked } from '@sluice/pipeline'
import {
  createGuestFetch,
  createSandbox,
  fetchNotAllowed,
  type GuestFetch,
  type Sandbox,
  type SandboxOptions,
} from '@sluice/sandbox'
import {
  createTransformationPrograms,
  createUserTransformStage,
  type TransformationPrograms,
  transformationVersionId,
} from '@sluice/transformations'

/** The code that is run, with the libraries it may import. */
export interface Subject {
  /** Shown in errors and stack frames. */
  readonly name: string
  readonly code: string
  readonly libraries?: readonly Library[]
  /** Where its code lies, for coverage and profiles. */
  readonly files?: SubjectFiles
}

/** What reports call the code of a subject; what is absent goes by its own name. */
export interface SubjectFiles {
  readonly main?: string
  /** By name of the library. */
  readonly libraries?: Readonly<Record<string, string>>
}

/** A destination that events go on to, up to the requests that would be sent. */
export interface OfflineDestination {
  readonly definition: DestinationDefinition
  /** Complete and valid: what `parseSettings` gave. */
  readonly settings: JsonObject
}

/** What is given to one run besides its events; what is absent is as in production. */
export interface RunConditions {
  /** What user code sees as the time, in milliseconds since the epoch; it stands still for the whole run. */
  readonly now?: number
  /** Makes Math.random and uuids of user code the same in every run. */
  readonly seed?: number
  /** What `getCredential` gives. */
  readonly credentials?: Readonly<Record<string, string>>
  /** Answers `fetch` and `fetchV2` of user code; without it, what the runner was made with counts, which refuses unless told otherwise. */
  readonly fetch?: GuestFetch
  /** What `metadata(event)` shows besides what the event itself tells. */
  readonly metadata?: JsonObject
  readonly destination?: OfflineDestination
}

/** What became of one event. */
export interface EventEnding {
  readonly outcome: 'passed' | 'dropped' | 'failed'
  /** What user code made of it, in order; the event itself where there is none. */
  readonly output: readonly Event[]
  /** What would be sent, in order; only with a destination. */
  readonly requests?: readonly DeliveryRequest[]
  /** Why it was dropped. */
  readonly reason?: string
  /** As production tells it; the message has the places in user code, one a line. */
  readonly error?: StageError
}

export interface OfflineRun {
  /** One per event, in order. */
  readonly endings: readonly EventEnding[]
  /** What user code logged, in order. */
  readonly log: readonly string[]
  readonly timeMs: number
}

/** Code that cannot be loaded: nothing was run. The message is the one of production. */
export class OfflineLoadError extends Error {
  override readonly name = 'OfflineLoadError'
}

/** Runs code over events in the sandbox and stages of production, one run after the other. */
export interface OfflineRunner {
  /**
   * Runs all events as one batch, which production makes of at most 200.
   * @throws OfflineLoadError when the code cannot be loaded; Error once the runner is closed.
   */
  run(subject: Subject | undefined, events: readonly Event[], conditions?: RunConditions): Promise<OfflineRun>
  /** Ends what is under way and frees the sandbox. */
  close(): Promise<void>
}

interface OpenSandbox {
  readonly sandbox: Sandbox
  readonly programs: TransformationPrograms
}

/**
 * Limits, isolation and where user code runs; the defaults are those of production, in one thread. `probes` are for
 * subjects with probes in their code: see createCoverage.
 */
export type OfflineRunnerOptions = Omit<SandboxOptions, 'clock' | 'random' | 'api'>

/** Workspace and source of every event; programs are compiled for this workspace. */
const offline = 'offline'

/** Makes a runner; it takes about 30 ms, so one should be kept for many runs. @throws RangeError when an option is out of range. */
export async function createOfflineRunner(options: OfflineRunnerOptions = {}): Promise<OfflineRunner> {
  let conditions: RunConditions = {}
  let random = systemRandom
  const usualFetch = toGuestFetch(options.fetch)
  const still: Clock = { ...systemClock, now: () => conditions.now ?? systemClock.now() }
  const live = await openSandbox(systemClock)
  /** Made when first needed: time stands still in it. */
  let timeless: Promise<OpenSandbox> | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function openSandbox(clock: Clock): Promise<OpenSandbox> {
    const sandbox = await createSandbox({
      workers: 1,
      batchesPerWorker: 1,
      ...options,
      clock,
      random: { fill: (bytes) => random.fill(bytes) },
      fetch: (url, request, signal) => (conditions.fetch ?? usualFetch)(url, request, signal),
    })
    return { sandbox, programs: createTransformationPrograms({ sandbox }) }
  }

  async function run(
    subject: Subject | undefined,
    events: readonly Event[],
    given: RunConditions = {},
  ): Promise<OfflineRun> {
    conditions = given
    random = given.seed === undefined ? systemRandom : createSeededRandom(given.seed)
    const startedAt = performance.now()
    const log: string[] = []
    const endings: Ending[] = []
    const { signal } = new AbortController()
    const inputs = events.map((event, origin) => ({ origin, item: sourced(event) }))
    const userTransform = subject && (await userStage(subject, given, log))
    const transformed = userTransform ? await runStage(userTransform, inputs, endings, signal) : inputs
    const destinationTransform = given.destination && mappingStage(given.destination, given.now)
    const mapped = destinationTransform && (await runStage(destinationTransform, transformed, endings, signal))
    const timeMs = performance.now() - startedAt
    return { endings: endingsOf(events.length, transformed, mapped, endings), log, timeMs }
  }

  async function userStage(subject: Subject, { now, credentials, metadata }: RunConditions, log: string[]) {
    if (now !== undefined) timeless ??= openSandbox(still)
    const { programs } = now === undefined ? live : await (timeless ?? live)
    const { name, code, libraries = [] } = subject
    const transformation = { versionId: transformationVersionId(code, libraries), name, code, libraries }
    const compiled = await programs.program(transformation, offline)
    if (!compiled.ok) throw new OfflineLoadError(compiled.error.message)
    return createUserTransformStage({
      programs,
      transformation,
      workspaceId: offline,
      onLog: (lines) => {
        for (const line of lines) log.push(line)
      },
      ...(credentials && { credentials }),
      ...(metadata && { metadataOf: () => metadata }),
    })
  }

  return {
    run(subject, events, given) {
      // Clock, randomness and fetch belong to one run at a time.
      const running = last.then(() => run(subject, events, given))
      last = running.catch(() => {})
      return running
    },
    async close() {
      for (const { programs, sandbox } of [live, ...(timeless ? [await timeless] : [])]) {
        await programs.close()
        await sandbox.close()
      }
    },
  }
}

function mappingStage({ definition, settings }: OfflineDestination, now: number | undefined) {
  const destination = { id: 'offline', name: 'offline', type: definition.type }
  const clock = now === undefined ? systemClock : { now: () => now }
  return createDestinationTransformStage({ definition, settings, destination, clock })
}

function sourced(event: Event): SourcedEvent {
  return { workspaceId: offline, sourceId: offline, writeKey: '', event }
}

function endingsOf(
  count: number,
  transformed: readonly Tracked<SourcedEvent>[],
  mapped: readonly Tracked<{ readonly requests: readonly DeliveryRequest[] }>[] | undefined,
  endings: readonly Ending[],
): readonly EventEnding[] {
  const outputs = Array.from({ length: count }, (): Event[] => [])
  for (const { origin, item } of transformed) outputs[origin]?.push(item.event)
  const requests = mapped && Array.from({ length: count }, (): DeliveryRequest[] => [])
  for (const { origin, item } of mapped ?? []) for (const request of item.requests) requests?.[origin]?.push(request)
  // Of an event that became several, a failure is told before a drop.
  const ended = new Map<number, Ending>()
  for (const ending of endings)
    if (!ended.has(ending.origin) || ending.outcome.kind === 'fail') ended.set(ending.origin, ending)
  return outputs.map((output, index): EventEnding => {
    const own = requests && { requests: requests[index] ?? [] }
    const outcome = ended.get(index)?.outcome
    if (outcome?.kind === 'fail') return { outcome: 'failed', output, ...own, error: outcome.error }
    const isEmpty = (own?.requests ?? output).length === 0
    if (outcome?.kind === 'drop' && isEmpty) return { outcome: 'dropped', output, ...own, reason: outcome.reason }
    return { outcome: 'passed', output, ...own }
  })
}

function toGuestFetch(fetch: OfflineRunnerOptions['fetch']): GuestFetch {
  if (typeof fetch === 'function') return fetch
  return fetch ? createGuestFetch(fetch) : () => Promise.reject(new Error(fetchNotAllowed))
}
