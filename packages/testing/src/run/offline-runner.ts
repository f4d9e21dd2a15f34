import {
  type Clock,
  createSeededRandom,
  type Event,
  type SourcedEvent,
  type Stage,
  systemClock,
  systemRandom,
  type Transformation,
} from '@sluice/core'
import { createDestinationTransformStage, createPermissionStage, type MappedEvent } from '@sluice/destinations/kit'
import { leftOutSend, leftOutStage, resultsAt, unsentPath } from '@sluice/pipeline/flow'
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
  type UserTransformOptions,
} from '@sluice/transformations'
import {
  type OfflineDestination,
  OfflineLoadError,
  type OfflinePlace,
  type OfflineRun,
  type RunConditions,
  type Subject,
} from './offline-run.ts'
import { endingOf, OutputWatch } from './output-watch.ts'

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
    const { path, violations, sourceOf } = await pathOf(subject, given, log)
    const inputs = events.map((event, origin) => ({ origin, item: sourced(event, given.destination, sourceOf(event)) }))
    const seen = new OutputWatch(events.length)
    const violated = await violations?.(inputs.map(({ item }) => item))
    const results = await resultsAt(path, inputs, new AbortController().signal, seen)
    const timeMs = performance.now() - startedAt
    return {
      endings: results.map((result, i) => {
        const ending = endingOf(result, seen, i, given.destination !== undefined)
        const types = violated?.[i]?.types
        return types === undefined ? ending : { ...ending, violations: types }
      }),
      log,
      timeMs,
    }
  }

  async function pathOf(subject: Subject | undefined, given: RunConditions, log: string[]): Promise<OfflinePath> {
    const { destination, now, credentials, inTurn } = given
    const place = destination?.place
    const onlySource = onlySourceOf(place) ?? offline
    const sourceOf = (event: Event): string => given.sourceOf?.(event) ?? onlySource
    const onLog = (lines: readonly string[]): void => {
      for (const line of lines) log.push(line)
    }
    if (destination !== undefined && place !== undefined) {
      const workspace = { ...place.workspace, credentials: { ...place.workspace.credentials, ...credentials } }
      const programs = await programsFor(place.destination.transformation, now, workspace.id)
      const onCodeLog = (_: unknown, lines: readonly string[]): void => onLog(lines)
      const parts = { programs, clock: clockAt(now), onCodeLog, inTurn }
      const { definition } = destination
      return { ...unsentPath({ workspace, destination: place.destination, definition }, parts), sourceOf }
    }
    const transformation = subject && toTransformation(subject)
    const programs = await programsFor(transformation, now, offline)
    const code = transformation && userStage({ programs, transformation }, given, onLog)
    const { permission, map } = mappingStages(destination, now)
    const before = [permission, code].filter((stage) => stage !== undefined)
    return { path: { destinationId: offline, before, map, send: leftOutSend }, sourceOf }
  }

  /** Returns the programs whose code sees the time of a run, with a transformation loaded. */
  async function programsFor(
    transformation: Transformation | undefined,
    now: number | undefined,
    workspaceId: string,
  ): Promise<TransformationPrograms> {
    if (transformation === undefined) return live.programs
    if (now !== undefined) timeless ??= openSandbox(still)
    const { programs } = now === undefined ? live : await (timeless ?? live)
    const compiled = await programs.program(transformation, workspaceId)
    if (!compiled.ok) throw new OfflineLoadError(compiled.error.message)
    return programs
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

/** The path of a run, and where its events come from. */
interface OfflinePath extends ReturnType<typeof unsentPath> {
  readonly sourceOf: (event: Event) => string
}

function toTransformation({ name, code, libraries = [] }: Subject): Transformation {
  return { versionId: transformationVersionId(code, libraries), name, code, libraries }
}

function userStage(
  code: Pick<UserTransformOptions, 'programs' | 'transformation'>,
  { credentials, metadata }: RunConditions,
  onLog: (lines: readonly string[]) => void,
): Stage<SourcedEvent> {
  return createUserTransformStage({
    ...code,
    workspaceId: offline,
    onLog,
    credentials,
    metadataOf: metadata ? () => metadata : undefined,
  })
}

/** As in production, user code does not get events that the sender or the user does not want at the destination. */
function mappingStages(
  given: OfflineDestination | undefined,
  now: number | undefined,
): { readonly permission?: Stage<SourcedEvent>; readonly map: Stage<SourcedEvent, MappedEvent> } {
  if (given === undefined) return { map: leftOutStage('destination-transform') }
  const { definition, settings } = given
  const destination = { id: offline, name: offline, type: definition.type }
  return {
    permission: createPermissionStage(definition, settings),
    map: createDestinationTransformStage({
      definition,
      settings,
      destination,
      clock: clockAt(now),
    }),
  }
}

function clockAt(now: number | undefined): Clock {
  return now === undefined ? systemClock : { ...systemClock, now: () => now }
}

function sourced(event: Event, destination: OfflineDestination | undefined, sourceId: string): SourcedEvent {
  return { workspaceId: destination?.place?.workspace.id ?? offline, sourceId, writeKey: '', event }
}

/** Returns the source of a destination that has only one. */
function onlySourceOf(place: OfflinePlace | undefined): string | undefined {
  const [only, ...more] =
    place?.workspace.connections.filter(({ destinationId }) => destinationId === place.destination.id) ?? []
  return more.length === 0 ? only?.sourceId : undefined
}

function toGuestFetch(fetch: OfflineRunnerOptions['fetch']): GuestFetch {
  if (typeof fetch === 'function') return fetch
  return fetch ? createGuestFetch(fetch) : () => Promise.reject(new Error(fetchNotAllowed))
}
