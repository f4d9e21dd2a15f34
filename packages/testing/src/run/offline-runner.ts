import {
  type Clock,
  createSeededRandom,
  type Event,
  type SourcedEvent,
  type Stage,
  systemClock,
  systemRandom,
} from '@sluice/core'
import { createDestinationTransformStage, createPermissionStage, type MappedEvent } from '@sluice/destinations/kit'
import { type DestinationPath, leftOutSend, leftOutStage, resultsAt } from '@sluice/pipeline/flow'
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
import {
  type OfflineDestination,
  OfflineLoadError,
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
    const inputs = events.map((event, origin) => ({ origin, item: sourced(event) }))
    const code = subject && (await userStage(subject, given, log))
    const { permission, map } = mappingStages(given.destination, given.now)
    const path: DestinationPath = {
      destinationId: offline,
      before: [permission, code].filter((stage) => stage !== undefined),
      map,
      send: leftOutSend,
    }
    const seen = new OutputWatch(events.length)
    const results = await resultsAt(path, inputs, new AbortController().signal, seen)
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
      credentials,
      metadataOf: metadata ? () => metadata : undefined,
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
function mappingStages(
  given: OfflineDestination | undefined,
  now: number | undefined,
): { readonly permission?: Stage<SourcedEvent>; readonly map: Stage<SourcedEvent, MappedEvent> } {
  if (given === undefined) return { map: leftOutStage('destination-transform') }
  const { definition, settings } = given
  const destination = { id: offline, name: offline, type: definition.type }
  const clock = now === undefined ? systemClock : { now: () => now }
  return {
    permission: createPermissionStage(definition, settings),
    map: createDestinationTransformStage({
      definition,
      settings,
      destination,
      clock,
    }),
  }
}

function sourced(event: Event): SourcedEvent {
  return { workspaceId: offline, sourceId: offline, writeKey: '', event }
}

function toGuestFetch(fetch: OfflineRunnerOptions['fetch']): GuestFetch {
  if (typeof fetch === 'function') return fetch
  return fetch ? createGuestFetch(fetch) : () => Promise.reject(new Error(fetchNotAllowed))
}
