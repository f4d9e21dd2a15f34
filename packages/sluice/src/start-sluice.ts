import { createDeadline, systemClock, systemRandom } from '@sluice/core'
import { createTransport } from '@sluice/delivery'
import { BodyBudget } from '@sluice/http'
import { createDeadLetters, createEngine, createOwnDataEraser, createTap, joinTelemetry } from '@sluice/pipeline'
import { createDeletions, createRegulations, createSuppressionIndex, createSuppressStage } from '@sluice/regulation'
import { createSandbox } from '@sluice/sandbox'
import { createCatalogue, createObservers } from '@sluice/schema'
import { createMemoryStore } from '@sluice/storage'
import { createTransformationPrograms, createTransformations } from '@sluice/transformations'
import { createAreas } from './create-areas.ts'
import { createEraserFinder } from './create-eraser-finder.ts'
import { createUsage } from './create-usage.ts'
import { errorFields } from './logger.ts'
import { memberOf } from './member-of.ts'
import { mountedFetch } from './mounted-fetch.ts'
import type { Sluice } from './sluice.ts'
import type { SluiceOptions } from './sluice-options.ts'
import { clusterSamples } from './telemetry/cluster-samples.ts'
import { measureInto } from './telemetry/instruments.ts'
import { measureChanges } from './telemetry/measure-changes.ts'
import { createMeasuredSamples } from './telemetry/measured-samples.ts'
import type { Sample } from './telemetry/metric-table.ts'
import type { OpenTelemetry, OpenTelemetryApi } from './telemetry/open-telemetry.ts'
import { prometheusText } from './telemetry/prometheus-text.ts'
import { createStoredSamples } from './telemetry/stored-samples.ts'
import { createUntilQuiet } from './until-quiet.ts'
import { createKnownDestinations } from './workspace/known-destinations.ts'
import { createWorkspaceApplier } from './workspace/workspace-applier.ts'

/** Default time for work in progress when stopping. */
const defaultStopMs = 10_000
/** Memory for all requests being received: about seventy of the largest. */
const bodiesBytesMax = 256 * 1_024 * 1_024

/** Puts the parts together and starts them: see `createSluice`. */
export async function startSluice(options: SluiceOptions): Promise<Sluice> {
  const { clock = systemClock, random = systemRandom, env = process.env, logger, transport: given } = options
  const onError = (error: unknown): void => {
    logger?.error(errorFields(error), 'going on after a failure')
    options.onError?.(error)
  }
  // First, because it may throw.
  const mounted = mountedFetch((request, env) => all.fetch(request, env as object | undefined), options.basePath)
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
  const transport = given ?? outbound
  const known = createKnownDestinations(options.destinations ?? [])
  const destinations = known.registry
  const sandbox = await createSandbox({ ...options.sandbox, clock, random })
  const programs = createTransformationPrograms({ sandbox })
  const { cluster } = store
  const measured = createMeasuredSamples()
  const changes = cluster && measureChanges(cluster, [measured, ...(openTelemetry ? [openTelemetry.instruments] : [])])
  const index = createSuppressionIndex({ store: store.regulations, clock, random, cluster, onError })
  const regulations = createRegulations({
    store: store.regulations,
    index,
    clock,
    random,
    ...(options.deletionsPerHour === undefined ? {} : { deletionsPerHour: options.deletionsPerHour }),
    ...(changes ? { everywhere: () => changes.applied('regulation') } : {}),
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
    ...(options.deduplication ? { deduplication: { idsMax: 1_000_000, ...options.deduplication } } : {}),
    ...(options.retention ? { retention: options.retention } : {}),
    ...(options.transformedBytesMax === undefined ? {} : { transformedBytesMax: options.transformedBytesMax }),
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
  const bodies = new BodyBudget(bodiesBytesMax)
  const usage = createUsage({ store, observers, tap, bodies, workspaces: () => engine.workspaces.length })
  const storedSamples = createStoredSamples({ engine, usage, deadLetters, store })
  const allIds = (): readonly string[] => engine.workspaces.map(({ id }) => id)
  const readSamples = async (workspaceIds: readonly string[]): Promise<readonly Sample[]> => [
    ...(await storedSamples(workspaceIds)),
    ...clusterSamples(cluster),
  ]
  const metrics = async (workspaceIds: readonly string[]): Promise<string> =>
    prometheusText([...(await readSamples(workspaceIds)), ...measured.samples(workspaceIds)])
  const unobserve = openTelemetry?.observe(() => readSamples(allIds()))

  const deletions = createDeletions({
    store: store.regulations.deletions,
    clock,
    eraser: createEraserFinder({
      workspaces: () => engine.workspaces,
      destinations,
      transport,
      clock,
      random,
      own: (workspaceId) => createOwnDataEraser({ workspaceId, store, catalogue, engine }),
    }),
    quiet: createUntilQuiet({ index, engine: changes ?? engine }),
    ...(cluster ? { isActive: () => cluster.isLeader } : {}),
    onError,
  })

  let stopping: Promise<void> | undefined
  const close = async (deadlineMs = defaultStopMs): Promise<void> => {
    const deadline = createDeadline(deadlineMs)
    tap.close()
    unobserve?.()
    await deletions.stop(deadline.left() / 2)
    await engine.stop(deadline.left())
    // Before the rest is closed: others continue at once.
    await cluster?.handOver().catch(onError)
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
    onLive: async () => {
      await applier.reconnect()
      await changes?.applied('code')
    },
  })
  const applier = createWorkspaceApplier({
    engine,
    known,
    programs,
    transformations,
    env,
    cluster,
    logger,
    onConflict: (text) => options.onConflict?.(text),
  })
  try {
    // A failed read is tried again; until then events are refused.
    await index.catchUp().catch(onError)
    await applier.use(options.workspace)
    await cluster?.join(memberOf({ engine, index, applier, deletions, onError }))
    await deletions.start()
  } catch (error) {
    await close()
    throw error
  }

  const { areas, all } = createAreas({
    options,
    engine,
    store,
    tap,
    deadLetters,
    deletions,
    regulations,
    index,
    catalogue,
    transformations,
    destinations,
    programs,
    transport,
    clock,
    random,
    bodies,
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
    ingest: (writeKey, events, { onInvalid = 'refuse-call' } = {}) =>
      engine.ingest({ writeKey, type: 'batch', payload: { batch: events }, onInvalid }),
    process: (writeKey, events, { onInvalid = 'refuse-call', signal } = {}) =>
      engine.process({ writeKey, type: 'batch', payload: { batch: events }, onInvalid }, signal),
    settled: () => engine.settled(),
    receipts: async (messageId, workspaceId = onlyWorkspace()) => engine.receipts(workspaceId, messageId),
    trace: async (messageId, workspaceId = onlyWorkspace()) => engine.trace(workspaceId, messageId),
    metrics: (workspaceId) => metrics(workspaceId === undefined ? allIds() : [workspaceId]),
    stats: async (workspaceId = onlyWorkspace()) => engine.stats(workspaceId),
    usage: async (workspaceId = onlyWorkspace()) => usage(workspaceId),
    regulations,
    deletions,
    deadLetters,
    catalogue,
    transformations,
    get workspaces() {
      return engine.workspaces
    },
    updateWorkspace: applier.use,
    fetch: mounted,
    areas,
    endTaps: () => tap.close(),
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
