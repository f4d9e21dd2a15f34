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
import {
  createDestinationTransformStage,
  createPermissionStage,
  type DeliveryRequest,
  type DestinationDefinition,
  type MappedEvent,
} from '@sluice/destinations'
import {
  type DestinationPath,
  type DestinationResult,
  leftOutStage,
  type RunWatch,
  runDestination,
  type Tracked,
} from '@sluice/pipeline'
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

/** The code to run, with the libraries it may import. */
export interface Subject {
  /** Shown in errors and stack frames. */
  readonly name: string
  readonly code: string
  readonly libraries?: readonly Library[]
  /** Files of its code, for coverage and profiles. */
  readonly files?: SubjectFiles
}

/** Names of a subject's code in reports. Default: its own names. */
export interface SubjectFiles {
  readonly main?: string
  /** By name of the library. */
  readonly libraries?: Readonly<Record<string, string>>
}

/** A destination for the events; requests are created but not sent. */
export interface OfflineDestination {
  readonly definition: DestinationDefinition
  /** Complete and valid: the result of `parseSettings`. */
  readonly settings: JsonObject
}

/** Conditions of one run besides its events. Absent members are as in production. */
export interface RunConditions {
  /** Time seen by user code, in milliseconds since the epoch; it stands still for the whole run. */
  readonly now?: number
  /** Makes Math.random and uuids of user code repeatable. */
  readonly seed?: number
  /** Values of `getCredential`. */
  readonly credentials?: Readonly<Record<string, string>>
  /** Implements `fetch` and `fetchV2` of user code. Default: that of the runner, which refuses unless configured. */
  readonly fetch?: GuestFetch
  /** Additional metadata for `metadata(event)`. */
  readonly metadata?: JsonObject
  readonly destination?: OfflineDestination
}

/** Result of one event. */
export interface EventEnding {
  readonly outcome: 'passed' | 'dropped' | 'failed'
  /** Outputs of user code, in order; the event itself without user code. */
  readonly output: readonly Event[]
  /** Requests that would be sent, in order; only with a destination. */
  readonly requests?: readonly DeliveryRequest[]
  /** Why it was dropped. */
  readonly reason?: string
  /** Error as in production; the message includes the places in user code, one per line. */
  readonly error?: StageError
}

export interface OfflineRun {
  /** One per event, in order. */
  readonly endings: readonly EventEnding[]
  /** Lines that user code logged, in order. */
  readonly log: readonly string[]
  readonly timeMs: number
}

/** The code cannot be loaded, so nothing was run. The message is that of production. */
export class OfflineLoadError extends Error {
  override readonly name = 'OfflineLoadError'
}

/** Runs code over events in the sandbox and stages of production, one run after another. */
export interface OfflineRunner {
  /**
   * Runs all events as one batch; production batches have at most 200.
   * @throws OfflineLoadError when the code cannot be loaded; Error once the runner is closed.
   */
  run(subject: Subject | undefined, events: readonly Event[], conditions?: RunConditions): Promise<OfflineRun>
  /** Ends running work and frees the sandbox. */
  close(): Promise<void>
}

interface OpenSandbox {
  readonly sandbox: Sandbox
  readonly programs: TransformationPrograms
}

/**
 * Limits, isolation and mode; the defaults are those of production, with one thread. `probes` are for instrumented
 * subjects: see createCoverage.
 */
export type OfflineRunnerOptions = Omit<SandboxOptions, 'clock' | 'random' | 'api'>

/** Workspace and source of every event; programs are compiled for this workspace. */
const offline = 'offline'

/**
 * Creates a runner. It takes about 30 ms, so keep one for many runs. @throws RangeError when an option is out of range.
 */
export async function createOfflineRunner(options: OfflineRunnerOptions = {}): Promise<OfflineRunner> {
  let conditions: RunConditions = {}
  let random = systemRandom
  const usualFetch = toGuestFetch(options.fetch)
  const still: Clock = { ...systemClock, now: () => conditions.now ?? systemClock.now() }
  const live = await openSandbox(systemClock)
  /** A sandbox whose time stands still, created on first use. */
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
    const inputs = events.map((event, origin) => ({ origin, item: sourced(event) }))
    const userTransform = subject && (await userStage(subject, given, log))
    const path: DestinationPath = {
      destinationId: offline,
      ...(userTransform ? { userTransform } : {}),
      ...mappingStages(given.destination, given.now),
      deliver: leftOutStage('deliver'),
    }
    const seen = new OutputWatch(events.length)
    const results = await runDestination(path, inputs, new AbortController().signal, seen)
    const timeMs = performance.now() - startedAt
    return {
      endings: results.map((result, i) => endingOf(result, seen, i, given.destination !== undefined)),
      log,
      timeMs,
    }
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

/** As in production, user code does not get events that the sender or the user does not want at the destination. */
function mappingStages(given: OfflineDestination | undefined, now: number | undefined) {
  if (given === undefined)
    return { destinationTransform: leftOutStage<SourcedEvent, MappedEvent>('destination-transform') }
  const { definition, settings } = given
  const destination = { id: offline, name: offline, type: definition.type }
  const clock = now === undefined ? systemClock : { now: () => now }
  return {
    permission: createPermissionStage(definition, settings),
    destinationTransform: createDestinationTransformStage({ definition, settings, destination, clock }),
  }
}

function sourced(event: Event): SourcedEvent {
  return { workspaceId: offline, sourceId: offline, writeKey: '', event }
}

/** Records the outputs of user code and the requests of the destination for each event. */
class OutputWatch implements RunWatch {
  /** Outputs by event. */
  readonly outputs: readonly Event[][]
  /** Requests by event. */
  readonly requests: readonly DeliveryRequest[][]
  /** Event index of each output. */
  #origins: readonly number[] = []

  constructor(events: number) {
    this.outputs = Array.from({ length: events }, () => [])
    this.requests = Array.from({ length: events }, () => [])
  }

  onOutputs(outputs: readonly Tracked<SourcedEvent>[]): void {
    this.#origins = outputs.map(({ origin }) => origin)
    for (const { origin, item } of outputs) this.outputs[origin]?.push(item.event)
  }

  onMapped(output: number, { requests }: MappedEvent): void {
    for (const request of requests) this.requests[this.#origins[output] ?? -1]?.push(request)
  }
}

/**
 * Returns the result of an event. A disabled stage drops its input, which does not count as the outcome of the event.
 */
function endingOf({ ending }: DestinationResult, seen: OutputWatch, index: number, isMapped: boolean): EventEnding {
  const output = seen.outputs[index] ?? []
  const requests = seen.requests[index] ?? []
  const own = isMapped ? { requests } : {}
  if (ending?.kind === 'fail') return { outcome: 'failed', output, ...own, error: ending.error }
  const isEmpty = (isMapped ? requests : output).length === 0
  if (ending?.kind === 'drop' && isEmpty) return { outcome: 'dropped', output, ...own, reason: ending.reason }
  return { outcome: 'passed', output, ...own }
}

function toGuestFetch(fetch: OfflineRunnerOptions['fetch']): GuestFetch {
  if (typeof fetch === 'function') return fetch
  return fetch ? createGuestFetch(fetch) : () => Promise.reject(new Error(fetchNotAllowed))
}
