import { createConfiguration, ensureWorkspace } from '@sluice/configuration'
import { createDeadline, systemClock, systemRandom } from '@sluice/core'
import { createTransport } from '@sluice/delivery'
import { BodyBudget } from '@sluice/http'
import {
  createCodeLog,
  createCountHistory,
  createDeadLetters,
  createEngine,
  createEventMasks,
  createOwnDataEraser,
  createReplayJobs,
  createTap,
  joinTelemetry,
  searchUser,
  showLines,
} from '@sluice/pipeline'
import {
  createCertificates,
  createDeletions,
  createLedger,
  createRegulations,
  createSuppressionIndex,
  createSuppressStage,
  forgetWritings,
  type LedgerReport,
  type UserAliases,
} from '@sluice/regulation'
import { createSandbox } from '@sluice/sandbox'
import { createCatalogue, createObservers, defaultSchemaLimits } from '@sluice/schema'
import { createMemoryStore } from '@sluice/storage'
import { createTransformationPrograms, createTransformations } from '@sluice/transformations'
import { compareWithLedger } from './compare-with-ledger.ts'
import { createAreas } from './create-areas.ts'
import { createCertifiedDestinations } from './create-certified-destinations.ts'
import { createEraserFinder } from './create-eraser-finder.ts'
import { createOpenDsr } from './create-opendsr.ts'
import { createUsage } from './create-usage.ts'
import { createHeldDeletionsCount } from './held-deletions.ts'
import { LoadConflictWarnings } from './load-conflict-warnings.ts'
import { memberOf } from './member-of.ts'
import { mountedFetch } from './mounted-fetch.ts'
import { createAddressOf } from './public-address.ts'
import { createDestinationSearch } from './search-destinations.ts'
import type { Sluice } from './sluice.ts'
import type { SluiceOptions } from './sluice-options.ts'
import { startShredding } from './start-shredding.ts'
import { clusterSamples } from './telemetry/cluster-samples.ts'
import { createFailureLog } from './telemetry/failure-log.ts'
import { measureInto } from './telemetry/instruments.ts'
import { measureChanges } from './telemetry/measure-changes.ts'
import { createMeasuredSamples } from './telemetry/measured-samples.ts'
import type { Sample } from './telemetry/metric-table.ts'
import type { OpenTelemetry, OpenTelemetryApi } from './telemetry/open-telemetry.ts'
import { prometheusText } from './telemetry/prometheus-text.ts'
import { createStoredSamples } from './telemetry/stored-samples.ts'
import { createUntilQuiet } from './until-quiet.ts'
import { clusterRefusal } from './workspace/cluster-refusal.ts'
import { codeProblems } from './workspace/code-problems.ts'
import { createKnownDestinations } from './workspace/known-destinations.ts'
import { ownVersion } from './workspace/own-version.ts'
import { createStoredRefusal } from './workspace/stored-refusal.ts'
import { createWorkspaceApplier } from './workspace/workspace-applier.ts'

/** Default time for work in progress when stopping. */
const defaultStopMs = 10_000
/** Memory for all requests being received: about seventy of the largest. */
const bodiesBytesMax = 256 * 1_024 * 1_024

/** Puts the parts together and starts them: see `createSluice`. */
export async function startSluice(options: SluiceOptions): Promise<Sluice> {
  const { clock = systemClock, random = systemRandom, env = process.env, logger, transport: given } = options
  const logFailure = logger && createFailureLog(logger, clock)
  const onError = (error: unknown): void => {
    logFailure?.(error)
    options.onError?.(error)
  }
  // First, because it may throw.
  const mounted = mountedFetch((request, env) => all.fetch(request, env as object | undefined), options.basePath)
  const addressOf = createAddressOf(options)
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
  const known = createKnownDestinations(options.destinations ?? [], {
    allowAddresses: options.allowAddresses ?? [],
    ...(options.warehouses ? { work: options.warehouses } : {}),
  })
  const destinations = known.registry
  const sandbox = await createSandbox({ ...options.sandbox, clock, random })
  const programs = createTransformationPrograms({ sandbox, clock })
  const { cluster } = store
  const outbound = createTransport({
    clock,
    allowAddresses: options.allowAddresses ?? [],
    // What was checked before the process was stopped, or cut off, may no longer be sent.
    ...(cluster ? { mayLeave: () => cluster.isServing } : {}),
  })
  const transport = given ?? outbound
  const measured = createMeasuredSamples()
  const changes = cluster && measureChanges(cluster, [measured, ...(openTelemetry ? [openTelemetry.instruments] : [])])
  const ledger =
    options.ledger &&
    createLedger({
      place: options.ledger.place,
      operatorKey: options.ledger.key,
      store: store.regulations,
      clock,
      random,
      onError,
    })
  let aliases: UserAliases | undefined
  const index = createSuppressionIndex({
    store: store.regulations,
    clock,
    random,
    cluster,
    aliases: () => aliases,
    onError,
  })
  const regulations = createRegulations({
    store: store.regulations,
    index,
    ledger,
    clock,
    random,
    ...(options.deletionsPerHour === undefined ? {} : { deletionsPerHour: options.deletionsPerHour }),
    ...(changes ? { everywhere: () => changes.applied('regulation') } : {}),
    aliases: () => aliases,
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
  const { valueLengthMax } = limits
  const catalogue = createCatalogue({
    store: store.schema,
    observers,
    ...(valueLengthMax === undefined ? {} : { valueLengthMax }),
  })
  const unwatchVersions = store.schema.watch((workspaceId, versions) => {
    conflicts?.changed(workspaceId)
    for (const version of versions) options.onNewVersion?.(workspaceId, version)
  })
  const tap = createTap()
  const codeLog = createCodeLog()
  const endTaps = (): void => {
    tap.close()
    codeLog.close()
  }
  const others = [openTelemetry?.telemetry, options.telemetry].filter((each) => typeof each === 'object')
  const telemetry = joinTelemetry([...others, measureInto(measured)])
  const engine = createEngine({
    observers,
    suppress: createSuppressStage(index, options.onSuppressionUnavailable),
    destinations,
    programs,
    transport,
    clock,
    random,
    store,
    ...(options.delivery ? { delivery: options.delivery } : {}),
    ...(options.stages ? { stages: options.stages } : {}),
    ...(options.retries ? { retries: options.retries } : {}),
    onInvalid: options.onInvalid,
    ...(options.deduplication ? { deduplication: { idsMax: 1_000_000, ...options.deduplication } } : {}),
    ...(options.retention ? { retention: options.retention } : {}),
    ...(options.transformedBytesMax === undefined ? {} : { transformedBytesMax: options.transformedBytesMax }),
    ...(telemetry ? { telemetry } : {}),
    receipts: options.receipts !== 'off',
    tap,
    onCodeLog: (place, lines) => showLines(codeLog, clock.now(), place, lines),
    onCircuit: ({ workspaceId: workspace, destinationId: destination, isOpen }) =>
      isOpen
        ? logger?.warn({ workspace, destination }, 'the destination fails and is left alone for a while')
        : logger?.info({ workspace, destination }, 'the destination takes events again'),
    onError,
  })
  const conflicts = logger && new LoadConflictWarnings({ engine, clock, logger })
  const masks = createEventMasks(() => engine.workspaces)
  const deadLetters = createDeadLetters({
    store: store.deadLetters,
    engine,
    masks,
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
  const jobs = createReplayJobs({ deadLetters, clock, random, onError })
  const bodies = new BodyBudget(bodiesBytesMax)
  const usage = createUsage({ store, observers, tap, bodies, workspaces: () => engine.workspaces.length })
  const storedSamples = createStoredSamples({ engine, usage, deadLetters, store })
  const allIds = (): readonly string[] => engine.workspaces.map(({ id }) => id)
  const history =
    options.studio && createCountHistory({ clock, workspaceIds: allIds, stats: (id) => engine.stats(id), onError })
  const readSamples = async (workspaceIds: readonly string[]): Promise<readonly Sample[]> => [
    ...(await storedSamples(workspaceIds)),
    ...clusterSamples(cluster),
  ]
  const metrics = async (workspaceIds: readonly string[]): Promise<string> =>
    prometheusText([...(await readSamples(workspaceIds)), ...measured.samples(workspaceIds)])
  const unobserve = openTelemetry?.observe(() => readSamples(allIds()))

  const isActive = (): boolean => cluster?.isLeader ?? true
  const deletions = createDeletions({
    store: store.regulations.deletions,
    clock,
    eraser: createEraserFinder({
      workspaces: () => engine.workspaces,
      destinations,
      transport,
      clock,
      random,
      writings: store.regulations.writings,
      loads: store.loads,
      own: (workspaceId) =>
        createOwnDataEraser({
          workspaceId,
          store,
          catalogue,
          engine,
          clock,
          valueLengthMax: limits.valueLengthMax ?? defaultSchemaLimits.valueLengthMax,
        }),
    }),
    onEnded: async (jobs) => {
      await Promise.all([forgetWritings(store.regulations, jobs), callbacks.deletionsEnded(jobs)])
    },
    quiet: createUntilQuiet({
      index,
      engine: changes ?? engine,
      everywhere: changes && (() => changes.applied('regulation')),
    }),
    isActive,
    onError,
  })
  const heldDeletions = createHeldDeletionsCount({ store: store.regulations.deletions, clock, onError })
  const certificates = createCertificates({
    place: options.ledger?.place,
    store: store.regulations,
    clock,
    processor: `Sluice ${ownVersion()}`,
    destinations: createCertifiedDestinations({ workspaces: () => engine.workspaces, destinations }),
    searchDestinations: createDestinationSearch({
      workspaces: () => engine.workspaces,
      destinations,
      transport,
      clock,
      random,
    }),
    search: (workspaceId, attributes) => searchUser({ workspaceId, attributes }, { store, catalogue, clock, engine }),
  })
  const { requests: subjectRequests, callbacks } = createOpenDsr({
    place: options.ledger?.place,
    store,
    engine,
    regulations,
    certificates,
    transport,
    allowAddresses: options.allowAddresses ?? [],
    clock,
    logger,
    isActive,
    onError,
  })
  let shredding: { stop(): Promise<void> } | undefined

  let stopping: Promise<void> | undefined
  const close = async (deadlineMs = defaultStopMs): Promise<void> => {
    const deadline = createDeadline(deadlineMs)
    endTaps()
    unobserve?.()
    await conflicts?.stop()
    await jobs.close()
    await shredding?.stop()
    await deletions.stop(deadline.left() / 2)
    await callbacks.stop()
    await engine.stop(deadline.left())
    // Before the rest is closed: others continue at once.
    await cluster?.handOver().catch(onError)
    await deadLetters.close()
    await history?.close()
    unwatchVersions()
    await index.close().catch(onError)
    await ledger?.close().catch(onError)
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
    onLive: async () => {
      await configuration.reload()
      await changes?.applied('code')
    },
  })
  const configuration = createConfiguration({
    store: store.configuration,
    destinations,
    env,
    clock,
    random,
    inTurn: (workspaceId, work) => engine.inTurn({ workspaceId }, work),
    ...(cluster ? { refusal: clusterRefusal } : {}),
    storedRefusal: createStoredRefusal({ localDestinations: options.localDestinations ?? false }),
    check: ({ transformations: defined }) => codeProblems(defined, programs),
    apply: createWorkspaceApplier({
      engine,
      known,
      transformations,
      cluster,
      logger,
      onConflict: (text) => options.onConflict?.(text),
    }),
    ...(changes ? { everywhere: () => changes.applied('configuration') } : {}),
    waiting: async (workspaceId, destinationId) => {
      const counts = (await engine.stats(workspaceId)).flatMap((source) => source.destinations)
      return counts.reduce((sum, each) => (each.destinationId === destinationId ? sum + each.pending : sum), 0)
    },
    onLeftOut: ({ workspaceId: workspace, kind, id }, problems) =>
      logger?.error({ workspace, kind, id, problems }, 'a stored part of the configuration is not in use'),
  })
  const compare = async (): Promise<LedgerReport> => {
    const report = await compareWithLedger({ ledger, store, logger })
    aliases = ledger?.aliases
    return report
  }
  const updateWorkspace: Sluice['updateWorkspace'] = (definition, added) =>
    configuration.define(definition, added && known.withAdded(added))
  try {
    // Before anything can be served: the store may be older than its regulations.
    const compared = await compare()
    // A failed read is tried again; until then events are refused.
    await index.catchUp().catch(onError)
    if (options.workspace === undefined) await ensureWorkspace(store.configuration, clock)
    await updateWorkspace(options.workspace ?? { workspaces: [] })
    // Needs the destinations.
    await regulations.deleteAgain(compared)
    await ledger?.settle()
    const { forKey, forIds } = await heldDeletions.recount()
    if (forKey > 0)
      logger?.warn(
        { waiting: forKey },
        'deletions wait for SLUICE_LEDGER_KEY, because the store was restored: the users are suppressed, their data is not deleted again yet',
      )
    if (forIds > 0)
      logger?.warn(
        { aborted: forIds },
        'deletions need ids, because the store was restored and the ledger has none of these users: they are suppressed, their data is not deleted again. Create their regulations again with the ids, then cancel those without',
      )
    await cluster?.join(
      memberOf({
        engine,
        index,
        ledger,
        compare,
        regulations,
        configuration,
        deletions,
        deduplicationMs: options.deduplication?.windowMs,
        onError,
      }),
    )
    await deletions.start()
    callbacks.start()
    shredding = ledger && startShredding({ ledger, days: options.ledger?.backupsKeptDays, isActive, clock, onError })
  } catch (error) {
    await close()
    throw error
  }

  const { areas, all, issueStudioCode } = createAreas({
    options,
    engine,
    store,
    tap,
    codeLog,
    masks,
    deadLetters,
    jobs,
    deletions,
    heldDeletions,
    regulations,
    certificates,
    subjectRequests,
    index,
    catalogue,
    transformations,
    configuration,
    destinations,
    programs,
    transport,
    clock,
    random,
    addressOf,
    bodies,
    history,
    metrics,
    usage,
    isStopping: () => stopping !== undefined,
    onError,
  })

  const onlyWorkspace = (): string => {
    const [first, ...more] = engine.workspaces
    if (first === undefined || more.length > 0)
      throw new RangeError(`there are ${engine.workspaces.length} workspaces; name one by its id`)
    return first.id
  }
  return {
    ingest: (writeKey, events, choices = {}) =>
      engine.ingest({ writeKey, type: 'batch', payload: { batch: events }, ...choices }),
    process: (writeKey, events, { signal, ...choices } = {}) =>
      engine.process({ writeKey, type: 'batch', payload: { batch: events }, ...choices }, signal),
    settled: () => engine.settled(),
    receipts: async (messageId, workspaceId = onlyWorkspace()) => engine.receipts(workspaceId, messageId),
    trace: async (messageId, workspaceId = onlyWorkspace()) => engine.trace(workspaceId, messageId),
    metrics: (workspaceId) => metrics(workspaceId === undefined ? allIds() : [workspaceId]),
    stats: async (workspaceId = onlyWorkspace()) => engine.stats(workspaceId),
    usage: async (workspaceId = onlyWorkspace()) => usage(workspaceId),
    regulations,
    deletions,
    certificates,
    deadLetters,
    catalogue,
    transformations,
    get workspaces() {
      return engine.workspaces
    },
    configuration,
    updateWorkspace,
    fetch: mounted,
    areas,
    ...(issueStudioCode ? { issueStudioCode } : {}),
    endTaps,
    stop: (deadlineMs) => {
      stopping ??= close(deadlineMs)
      return stopping
    },
  }
}

/** @throws RangeError when the optional package is not installed. */
async function loadOpenTelemetry(): Promise<OpenTelemetry> {
  try {
    // Not as a constant: bundlers would insist on a package that only few install.
    const name = ['@opentelemetry', 'api'].join('/')
    const { createOpenTelemetry } = await import('./telemetry/open-telemetry.ts')
    return createOpenTelemetry((await import(name)) as OpenTelemetryApi)
  } catch (cause) {
    throw new RangeError("telemetry: 'opentelemetry' needs the package @opentelemetry/api; install it", { cause })
  }
}
