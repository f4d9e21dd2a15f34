import {
  type Clock,
  createDeadline,
  type JsonObject,
  type Random,
  systemClock,
  systemRandom,
  type Workspace,
} from '@sluice/core'
import { createTransport, type Transport } from '@sluice/delivery'
import {
  builtInDestinations,
  createDestinationRegistry,
  type DestinationDefinition,
  type DestinationRegistry,
} from '@sluice/destinations'
import {
  createBackupArea,
  createConfigurationArea,
  createDeadLettersArea,
  createDefinitionsArea,
  createGovernanceArea,
  createHealthArea,
  createIngestionArea,
  createOpenapiArea,
  createOperationsArea,
  createOperatorGate,
  createRegulationsArea,
  createReplaysArea,
  createTapArea,
  createTestArea,
  createTokenGate,
  createTransformationsArea,
} from '@sluice/http'
import {
  createDeadLetters,
  createEngine,
  createOwnDataEraser,
  createTap,
  type DeadLetterLimits,
  type DeadLetters,
  type DeadLetterUsage,
  type DeliveryOptions,
  type EventReceipt,
  type EventTrace,
  type IngestResult,
  joinTelemetry,
  type ProcessResult,
  type RetentionOptions,
  type RetryOptions,
  type SourceStats,
  type Store,
  type Telemetry,
  tryDestination,
} from '@sluice/pipeline'
import {
  createDeletions,
  createRegulations,
  createSuppressionIndex,
  createSuppressStage,
  type Deletions,
  type Regulations,
  type WhenUnavailable,
} from '@sluice/regulation'
import { createSandbox, type SandboxOptions } from '@sluice/sandbox'
import { type Catalogue, createCatalogue, createObservers, type NewVersion, type SchemaLimits } from '@sluice/schema'
import { createMemoryStore } from '@sluice/storage'
import { createTransformationPrograms, createTransformations, type Transformations } from '@sluice/transformations'
import { Hono } from 'hono'
import { connectTransformations } from './connect-transformations.ts'
import { createEraserFinder } from './find-eraser.ts'
import { errorFields, type Logger } from './logger.ts'
import { measureInto } from './telemetry/instruments.ts'
import { createMeasuredSamples } from './telemetry/measured-samples.ts'
import type { OpenTelemetry } from './telemetry/open-telemetry.ts'
import { prometheusText } from './telemetry/prometheus-text.ts'
import { createStoredSamples } from './telemetry/stored-samples.ts'
import { createUntilQuiet } from './until-quiet.ts'
import { codeProblems } from './workspace/code-problems.ts'
import { parseWorkspaces } from './workspace/parse-workspaces.ts'
import { WorkspaceFileError } from './workspace/problem.ts'
import { inOneForm } from './workspace/read-workspace-file.ts'
import type { WorkspaceDefinition, WorkspacesDefinition } from './workspace/workspace-schema.ts'

export interface SluiceOptions {
  /** One workspace, or several as `{workspaces: […]}`; RudderStack's `workspaceConfig.json` is understood too. */
  readonly workspace: WorkspaceDefinition | WorkspacesDefinition | JsonObject
  /** Where everything is remembered; default in memory. `openSqliteStore` of `@sluice/storage` keeps it on disk. */
  readonly store?: Store
  /** Destination types beside the built-in ones, and of other names. `readWorkspaceFile` gives those a file names. */
  readonly destinations?: readonly DestinationDefinition[]
  /** Admin credentials: they open the Data Governance API, which is not there without them, and what operators look at. */
  readonly admin?: { readonly user: string; readonly password: string }
  /** True keeps the Data Governance API out of `fetch`, for a port of its own; `areas.governance` is there all the same. */
  readonly governanceApart?: boolean
  /** Answers of the Data Governance API as odd as the reference's; default false, with honest ones. */
  readonly strictCompatibility?: boolean
  /**
   * What differs from the default limits of the schema catalogue, in memory and in the store made here. A store that is
   * given has limits of its own.
   */
  readonly schemaLimits?: Partial<SchemaLimits>
  /** Where and how user code runs: worker threads or this one, isolation, limits, what it may fetch. */
  readonly sandbox?: Omit<SandboxOptions, 'clock' | 'random'>
  /** Origins that browsers may send events from; default all. */
  readonly corsOrigins?: '*' | readonly string[]
  /** What is done with events while it is not known who is suppressed; default `refuse`, with 503 over HTTP. */
  readonly onSuppressionUnavailable?: WhenUnavailable
  /** Users times destinations that regulations may delete within an hour, per workspace; default 200,000. */
  readonly deletionsPerHour?: number
  /**
   * Events of a source whose messageId was accepted within `windowMs` are acknowledged and counted as duplicates, and go
   * nowhere. Default off: senders that send again after an unclear answer then have events delivered twice.
   * `idsMax` is how many are remembered, the oldest forgotten first; default 1,000,000, about 100 MB on disk.
   */
  readonly deduplication?: { readonly windowMs: number; readonly idsMax?: number }
  /** How requests are sent: how many at a time, how long one may take, how often one is tried at once. */
  readonly delivery?: DeliveryOptions
  /** What the log keeps of what everything has passed, for replays; default 24 hours and 512 MiB. */
  readonly retention?: Partial<RetentionOptions>
  /** How long and how often events are tried again that could not be delivered; default 3 hours and 3 attempts. */
  readonly retries?: Partial<RetryOptions>
  /**
   * What differs from the default limits of the dead letters (100,000 letters, 1 GiB, 30 days), in the store made here. A
   * store that is given has limits of its own.
   */
  readonly deadLetterLimits?: Partial<DeadLetterLimits>
  /**
   * What is kept of where events went: of how many the store made here keeps the receipts (default 100,000; a store that
   * is given has a limit of its own), or `'off'`: then nothing is told of an event that has ended.
   */
  readonly receipts?: number | 'off'
  /**
   * Who is told of work on batches, beside `GET /metrics`: `'opentelemetry'` sends spans and metrics to the SDK registered
   * with `@opentelemetry/api`, which has to be installed then.
   */
  readonly telemetry?: 'opentelemetry' | Telemetry
  /** Where structured lines go, a pino logger for example; default nowhere. They hold no payloads and no secrets. */
  readonly logger?: Logger
  /** Told when the dead letters reach 80 % of a limit, and again after they were below; at 100 % the oldest are forgotten. */
  onDeadLettersFull?(usage: DeadLetterUsage): void
  /**
   * Ranges like `10.1.0.0/16` that destinations may be in although they are not public; `'localhost'` stands for this
   * machine. Default none: who may set a destination, and events that choose their address, must not reach what only this
   * machine can.
   */
  readonly allowAddresses?: readonly string[]
  /** How requests leave, `allowAddresses` included; default `createTransport` of `@sluice/delivery`. It stays open when the pipeline stops. */
  readonly transport?: Transport
  readonly clock?: Clock
  readonly random?: Random
  /** Values of `env:NAME` access tokens; default the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Told of failures that Sluice gets over by itself; default nobody. */
  onError?(error: unknown): void
  /** Told of each shape of an event that was stored for the first time; default nobody. */
  onNewVersion?(workspaceId: string, version: NewVersion): void
  /** Told, once each, where a connection made through the API wins over the workspace file; default nobody. */
  onConflict?(text: string): void
}

/** A running pipeline. */
export interface Sluice {
  /**
   * Takes in the events of one source; they are durable when the promise resolves with `ok`.
   * @param options.onInvalid whether one malformed event refuses the call (default) or only itself.
   */
  ingest(
    writeKey: string,
    events: readonly unknown[],
    options?: { readonly onInvalid?: 'refuse-call' | 'refuse-event' },
  ): Promise<IngestResult>
  /**
   * Takes the events of one source through the whole flow at once, without the log, for programs that have a queue of
   * their own. Each has ended at every destination when the promise resolves; nothing is tried again later and nothing
   * becomes a dead letter, so what failed is the caller's. One call of a workspace runs at a time, which keeps the order
   * of every user; await each to be held back by slow destinations. At most 1,000 may wait, then they are refused.
   * @param options.signal gives the call up: it rejects with the reason of the signal, and nothing of it is counted.
   */
  process(
    writeKey: string,
    events: readonly unknown[],
    options?: { readonly onInvalid?: 'refuse-call' | 'refuse-event'; readonly signal?: AbortSignal },
  ): Promise<ProcessResult>
  /** Resolves once everything ingested so far has ended at every destination. */
  settled(): Promise<void>
  /** Where one event went. The workspace may be left out when there is only one. */
  receipts(messageId: string, workspaceId?: string): Promise<readonly EventReceipt[]>
  /**
   * Where one event went, stage by stage, also while it is on its way. Undefined for an id never seen, for an event that was
   * suppressed, and for one of which nothing is kept any more.
   */
  trace(messageId: string, workspaceId?: string): Promise<EventTrace | undefined>
  /** Prometheus text of one workspace, or of all. */
  metrics(workspaceId?: string): Promise<string>
  /** What was received, rejected, suppressed, dropped, failed, delivered and is pending; per source and destination. */
  stats(workspaceId?: string): Promise<readonly SourceStats[]>
  readonly regulations: Regulations
  /** What became of the deletions that regulations ask for. */
  readonly deletions: Pick<Deletions, 'ofRegulation'>
  /** Events that failed, to be looked at, replayed or removed. */
  readonly deadLetters: DeadLetters
  /** What shapes of events were seen, with samples and frequent values. */
  readonly catalogue: Catalogue
  /** Transformations and libraries with their versions; what is published through it runs from the next batch on. */
  readonly transformations: Transformations
  readonly workspaces: readonly Workspace[]
  /**
   * Applies another definition between two batches, whole or not at all.
   * @param destinations from now on, the destination types beside the built-in ones; left out, they stay.
   * @throws WorkspaceFileError
   */
  updateWorkspace(definition: unknown, destinations?: readonly DestinationDefinition[]): Promise<void>
  /** All HTTP areas on one handler. */
  readonly fetch: (request: Request, env?: unknown) => Response | Promise<Response>
  /** The HTTP areas one by one, to mount them where you like. `governance` is there when admin credentials are. */
  readonly areas: {
    readonly ingestion: FetchArea
    readonly transformations: FetchArea
    readonly regulations: FetchArea
    readonly test: FetchArea
    readonly deadLetters: FetchArea
    readonly replays: FetchArea
    readonly configuration: FetchArea
    readonly definitions: FetchArea
    readonly operations: FetchArea
    /** `GET /v1/tap`; a stream that stays open until `endTaps` or `stop`. */
    readonly tap: FetchArea
    readonly health: FetchArea
    /** `GET /openapi.json`, which covers all areas. */
    readonly openapi: FetchArea
    readonly governance?: FetchArea
    /** `GET /v1/backup`; there when admin credentials are. */
    readonly backup?: FetchArea
  }
  /** Ends the open taps for good, so that an HTTP server that waits for its answers can close. `stop` does it too. */
  endTaps(): void
  /** Stops taking events, ends the batches under way within `deadlineMs` (default 10 s), closes the store. */
  stop(deadlineMs?: number): Promise<void>
}

/** How long work under way may take when it was not said. */
const defaultStopMs = 10_000

/** A test ends after so long: user code, and a few replies, each have limits of their own well below. */
const trialTimeMs = 120_000

export interface FetchArea {
  fetch(request: Request, env?: unknown): Response | Promise<Response>
}

/**
 * Starts a pipeline in this process. The store belongs to it from then on: it is closed by `stop`, and when starting fails.
 * @throws WorkspaceFileError, naming everything that is wrong with the workspace.
 */
export async function createSluice(options: SluiceOptions): Promise<Sluice> {
  const { clock = systemClock, random = systemRandom, env = process.env, logger, transport: given } = options
  const onError = (error: unknown): void => {
    logger?.error(errorFields(error), 'going on after a failure')
    options.onError?.(error)
  }
  const openTelemetry = options.telemetry === 'opentelemetry' ? await loadOpenTelemetry() : undefined
  const limits = options.schemaLimits ?? {}
  const store =
    options.store ??
    createMemoryStore({
      clock,
      random,
      schemaLimits: limits,
      ...(options.deadLetterLimits ? { deadLetterLimits: options.deadLetterLimits } : {}),
      ...(typeof options.receipts === 'number' ? { receiptsMax: options.receipts } : {}),
    })
  const outbound = createTransport({ clock, allowAddresses: options.allowAddresses ?? [] })
  const registryWith = (added: readonly DestinationDefinition[]) =>
    createDestinationRegistry([...builtInDestinations, ...added])
  let registry = registryWith(options.destinations ?? [])
  const destinations: DestinationRegistry = { get: (type) => registry.get(type), list: () => registry.list() }
  const sandbox = await createSandbox({ ...options.sandbox, clock, random })
  const programs = createTransformationPrograms({ sandbox })
  const index = createSuppressionIndex({ store: store.regulations, clock, random, onError })
  const regulations = createRegulations({
    store: store.regulations,
    index,
    clock,
    random,
    ...(options.deletionsPerHour === undefined ? {} : { deletionsPerHour: options.deletionsPerHour }),
    onDeletions: () => deletions.wake(),
    workspace: (id) => {
      const workspace = engine.workspaces.find((each) => each.id === id)
      const isStorage = (type: string): boolean => destinations.get(type)?.storage !== undefined
      return {
        sourceIds: new Set(workspace?.sources.map((source) => source.id)),
        destinations: new Map(workspace?.destinations.map((each) => [each.id, { isStorage: isStorage(each.type) }])),
      }
    },
  })
  const observers = createObservers({ clock, random, limits })
  const catalogue = createCatalogue({ store: store.schema, observers })
  const unwatchVersions = store.schema.watch((workspaceId, versions) => {
    for (const version of versions) options.onNewVersion?.(workspaceId, version)
  })
  const tap = createTap()
  const measured = createMeasuredSamples()
  const others = [openTelemetry?.telemetry, options.telemetry].filter((each) => typeof each === 'object')
  const telemetry = joinTelemetry([...others, measureInto(measured)])
  const engine = createEngine({
    observers,
    suppress: createSuppressStage(index, options.onSuppressionUnavailable),
    destinations,
    programs,
    transport: given ?? outbound,
    clock,
    random,
    store,
    ...(options.delivery ? { delivery: options.delivery } : {}),
    ...(options.retries ? { retries: options.retries } : {}),
    ...(options.deduplication ? { deduplication: { idsMax: 1_000_000, ...options.deduplication } } : {}),
    ...(options.retention ? { retention: options.retention } : {}),
    ...(telemetry ? { telemetry } : {}),
    receipts: options.receipts !== 'off',
    tap,
    onCircuit: ({ workspaceId: workspace, destinationId: destination, isOpen }) =>
      isOpen
        ? logger?.warn({ workspace, destination }, 'the destination fails and is left alone for a while')
        : logger?.info({ workspace, destination }, 'the destination takes events again'),
    onError,
  })
  const deadLetters = createDeadLetters({
    store: store.deadLetters,
    engine,
    clock,
    onFull: (usage) => {
      const { letters, share } = usage
      logger?.warn(
        { letters, share },
        'dead letters are nearly full: replay or remove some, the oldest are forgotten at 1',
      )
      options.onDeadLettersFull?.(usage)
    },
    onError,
  })
  const storedSamples = createStoredSamples({ engine, deadLetters, store })
  const allIds = (): readonly string[] => engine.workspaces.map(({ id }) => id)
  const metrics = async (workspaceIds: readonly string[]): Promise<string> =>
    prometheusText([...(await storedSamples(workspaceIds)), ...measured.samples(workspaceIds)])
  const unobserve = openTelemetry?.observe(() => storedSamples(allIds()))

  const deletions = createDeletions({
    store: store.regulations.deletions,
    clock,
    eraser: createEraserFinder({
      workspaces: () => engine.workspaces,
      destinations,
      transport: given ?? outbound,
      clock,
      random,
      own: (workspaceId) => createOwnDataEraser({ workspaceId, store, catalogue, engine }),
    }),
    quiet: createUntilQuiet({ index, engine }),
    onError,
  })

  let stopping: Promise<void> | undefined
  const close = async (deadlineMs = defaultStopMs): Promise<void> => {
    const deadline = createDeadline(deadlineMs)
    tap.close()
    unobserve?.()
    await deletions.stop(deadline.left() / 2)
    await engine.stop(deadline.left())
    await deadLetters.close()
    unwatchVersions()
    await index.close().catch(onError)
    await outbound.close()
    await programs.close()
    await sandbox.close()
    await store.close()
  }
  const transformations = createTransformations({
    store: store.transformations,
    sandbox,
    programs,
    clock,
    random,
    destinationIds: (id) => engine.workspaces.find((each) => each.id === id)?.destinations.map((each) => each.id) ?? [],
    onLive: () => inTurn(() => run(defined)),
  })
  // What the workspace file says; what runs is that with the connections made through the API.
  let defined: readonly Workspace[] = []
  let applying: Promise<unknown> = Promise.resolve()
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const mine = applying.then(work)
    applying = mine.catch(() => {})
    return mine
  }
  const conflictsTold = new Set<string>()
  const run = async (workspaces: readonly Workspace[]): Promise<void> => {
    const connected = await connectTransformations(workspaces, transformations)
    await engine.use(connected.workspaces)
    const fresh = connected.conflicts.filter((text) => !conflictsTold.has(text))
    conflictsTold.clear()
    for (const text of connected.conflicts) conflictsTold.add(text)
    for (const text of fresh) options.onConflict?.(text)
    for (const { id, sources, destinations: to } of connected.workspaces)
      logger?.[defined.length === 0 ? 'debug' : 'info'](
        { workspace: id, sources: sources.length, destinations: to.length },
        'workspace applied',
      )
  }
  const use = async (definition: unknown, added?: readonly DestinationDefinition[]): Promise<void> => {
    const next = added ? registryWith(added) : registry
    const parsed = parseWorkspaces(inOneForm(definition), { destinations: next, env })
    const ofCode = await codeProblems(parsed.transformations, programs)
    if (parsed.problems.length + ofCode.length > 0) throw new WorkspaceFileError([...parsed.problems, ...ofCode])
    await inTurn(async () => {
      const before = registry
      if (added) registry = next
      try {
        await run(parsed.workspaces)
      } catch (error) {
        registry = before
        throw error
      }
      defined = parsed.workspaces
    })
  }
  try {
    // What cannot be read now is tried again; until then events are refused.
    await index.catchUp().catch(onError)
    await use(options.workspace)
    await deletions.start()
  } catch (error) {
    await close()
    throw error
  }

  const workspaces = () => engine.workspaces
  const { admin, corsOrigins } = options
  const gate = createTokenGate({ workspaces, audit: store.audit, clock, onError })
  const operatorGate = createOperatorGate({ workspaces, ...(admin ? { admin } : {}) })
  const { backup } = store
  const served = {
    operations: createOperationsArea({ gate: operatorGate, engine, metrics }),
    tap: createTapArea({ gate: operatorGate, tap }),
    ...(admin ? { backup: createBackupArea({ admin, ...(backup ? { backup: () => backup.call(store) } : {}) }) } : {}),
    ingestion: createIngestionArea({ engine, ...(corsOrigins ? { corsOrigins } : {}) }),
    transformations: createTransformationsArea({ gate, transformations }),
    regulations: createRegulationsArea({ gate, regulations, deletions, counters: store.counters }),
    test: createTestArea({
      gate,
      destinations,
      tryDestination: (trial) =>
        tryDestination(
          trial,
          { programs, transport: given ?? outbound, clock, random },
          AbortSignal.timeout(trialTimeMs),
        ),
    }),
    deadLetters: createDeadLettersArea({ gate, deadLetters }),
    replays: createReplaysArea({ gate, engine, deadLetters }),
    configuration: createConfigurationArea({ gate, destinations }),
    definitions: createDefinitionsArea(destinations),
    health: createHealthArea(() => {
      if (stopping) return 'stopping'
      if (store.isLost?.()) return 'storeLost'
      return index.isReady ? 'ok' : 'suppressionUnavailable'
    }),
    ...(admin
      ? {
          governance: createGovernanceArea({
            catalogue,
            workspaces,
            admin,
            strictCompatibility: options.strictCompatibility ?? false,
          }),
        }
      : {}),
  }
  const openapi = createOpenapiArea(Object.values(served).flatMap(({ routes }) => routes))
  const areas = { ...served, openapi }
  const all = new Hono()
  for (const area of Object.values(areas))
    if (!(options.governanceApart && (area === areas.governance || area === areas.backup))) all.route('/', area.app)
  // Where the admin credentials are used.
  if (options.governanceApart && areas.backup) areas.governance?.app.route('/', areas.backup.app)
  all.notFound((c) => c.json({ message: `there is nothing at ${c.req.method} ${c.req.path}`, code: 'notFound' }, 404))
  all.onError((error, c) => {
    onError(error)
    return c.json({ message: 'internal error', code: 'internal' }, 500)
  })

  const onlyWorkspace = (): string => {
    const [first, ...more] = engine.workspaces
    if (first === undefined || more.length > 0)
      throw new RangeError(`there are ${engine.workspaces.length} workspaces; name one by its id`)
    return first.id
  }
  return {
    ingest: (writeKey, events, { onInvalid = 'refuse-call' } = {}) =>
      engine.ingest({ writeKey, type: 'batch', payload: { batch: events }, onInvalid }),
    process: (writeKey, events, { onInvalid = 'refuse-call', signal } = {}) =>
      engine.process({ writeKey, type: 'batch', payload: { batch: events }, onInvalid }, signal),
    settled: () => engine.settled(),
    receipts: async (messageId, workspaceId = onlyWorkspace()) => engine.receipts(workspaceId, messageId),
    trace: async (messageId, workspaceId = onlyWorkspace()) => engine.trace(workspaceId, messageId),
    metrics: (workspaceId) => metrics(workspaceId === undefined ? allIds() : [workspaceId]),
    stats: async (workspaceId = onlyWorkspace()) => engine.stats(workspaceId),
    regulations,
    deletions,
    deadLetters,
    catalogue,
    transformations,
    get workspaces() {
      return engine.workspaces
    },
    updateWorkspace: use,
    fetch: (request, requestEnv) => all.fetch(request, requestEnv as object | undefined),
    areas,
    endTaps: () => tap.close(),
    stop: (deadlineMs) => {
      stopping ??= close(deadlineMs)
      return stopping
    },
  }
}

/** @throws RangeError when the optional package is not there. */
async function loadOpenTelemetry(): Promise<OpenTelemetry> {
  try {
    const { createOpenTelemetry } = await import('./telemetry/open-telemetry.ts')
    return createOpenTelemetry()
  } catch (cause) {
    throw new RangeError("telemetry: 'opentelemetry' needs the package @opentelemetry/api; install it", { cause })
  }
}
