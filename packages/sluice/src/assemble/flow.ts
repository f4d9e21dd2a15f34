import { withDefaults } from '@sluice/core/with-defaults'
import { createTransport } from '@sluice/delivery'
import {
  createCodeLog,
  createDeadLetters,
  createEngine,
  createEventMasks,
  createReplayJobs,
  createTap,
  showLines,
} from '@sluice/pipeline'
import { createSuppressStage } from '@sluice/regulation'
import { checkSandboxOptions, createSandbox } from '@sluice/sandbox'
import { createCatalogue, createObservers } from '@sluice/schema'
import { createTransformationPrograms } from '@sluice/transformations'
import { createCircuitTries } from '../changes/circuit-tries.ts'
import type { NameOf } from '../changes/record-facts.ts'
import { type LogReplays, withNotedJobs, withNotedLetters, withNotedReplays } from '../changes/with-noted-letters.ts'
import { LoadConflictWarnings } from '../load-conflict-warnings.ts'
import { createDestinationFailureLog } from '../telemetry/logs/destination-failure-log.ts'
import { createKnownDestinations } from '../workspace/known-destinations.ts'
import { WorkspaceSandbox } from '../workspace/workspace-sandbox.ts'
import type { Base } from './base.ts'
import type { StoreParts } from './stores.ts'
import type { TelemetryParts } from './telemetry.ts'

export type FlowParts = Awaited<ReturnType<typeof assembleFlow>>

/** Builds what events pass through: sandbox, catalogue, transport, engine, and the dead letters where failures end. */
export async function assembleFlow(
  base: Base,
  { store, cluster, index, notes }: StoreParts,
  { telemetry }: TelemetryParts,
) {
  const { options, clock, random, logger, destinationLogger, onError } = base
  const { allowAddresses = [], schemaLimits: limits = {} } = options
  const known = createKnownDestinations(options.destinations ?? [], { allowAddresses, work: options.warehouses })
  const destinations = known.registry
  const { trustedWorkspaces = [] } = options
  const sandboxOptions = { ...options.sandbox, clock, random }
  // Engines are loaded with the first code. What is wrong with their options is said now.
  checkSandboxOptions({ ...sandboxOptions, code: trustedWorkspaces.length > 0 ? 'trusted' : options.sandbox?.code })
  const sandbox = new WorkspaceSandbox({
    create: (code) => createSandbox({ ...sandboxOptions, code }),
    trusts: (workspaceId) => sandboxOptions.code === 'trusted' || trustedWorkspaces.includes(workspaceId),
  })
  const programs = createTransformationPrograms({ sandbox, clock })
  const outbound = createTransport({
    clock,
    allowAddresses,
    // What was checked before the process was stopped, or cut off, may no longer be sent.
    mayLeave: cluster ? () => cluster.isServing : undefined,
  })
  const transport = options.transport ?? outbound
  const observers = createObservers({ clock, random, limits })
  const catalogue = createCatalogue({ store: store.schema, observers, valueLengthMax: limits.valueLengthMax })
  const tap = createTap()
  const codeLog = createCodeLog()
  const engine = createEngine({
    observers,
    suppress: createSuppressStage(index, options.onSuppressionUnavailable),
    destinations,
    programs,
    transport,
    clock,
    random,
    store,
    delivery: options.delivery,
    stages: options.stages,
    retries: options.retries,
    onInvalid: options.onInvalid,
    deduplication: options.deduplication ? withDefaults({ idsMax: 1_000_000 }, options.deduplication) : undefined,
    retention: options.retention,
    transformedBytesMax: options.transformedBytesMax,
    keptDeliveries: options.keptDeliveries,
    telemetry,
    receipts: options.receipts !== 'off',
    tap,
    onCodeLog: (place, lines) => showLines(codeLog, clock.now(), place, lines),
    onFailures: destinationLogger && createDestinationFailureLog(destinationLogger, clock),
    onCircuit: ({ workspaceId: workspace, destinationId: destination, isOpen }) =>
      isOpen
        ? logger?.warn({ workspace, destination }, 'the destination fails and is left alone for a while')
        : logger?.info({ workspace, destination }, 'the destination takes events again'),
    onError,
  })
  const conflicts = logger && new LoadConflictWarnings({ engine, clock, logger })
  const unwatchVersions = store.schema.watch((workspaceId, versions) => {
    conflicts?.changed(workspaceId)
    for (const version of versions) options.onNewVersion?.(workspaceId, version)
  })
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
  const nameIn =
    (workspaceId: string): NameOf =>
    (kind, id) => {
      const workspace = engine.workspaces.find((each) => each.id === workspaceId)
      return workspace?.[`${kind}s`].find((each) => each.id === id)?.name ?? id
    }
  const replays: LogReplays = withNotedReplays(engine.replays, notes, nameIn)
  return {
    known,
    destinations,
    sandbox,
    programs,
    transport,
    observers,
    catalogue,
    tap,
    codeLog,
    engine,
    masks,
    deadLetters: withNotedLetters(deadLetters, notes, nameIn),
    jobs: withNotedJobs(jobs, notes, nameIn),
    replays,
    /** Lets one event go to a destination whose circuit is open, in every process. */
    tryNow: createCircuitTries({ engine, cluster, notes, nameIn }),
    nameIn,
    workspaces: () => engine.workspaces,
    endTaps() {
      tap.close()
      codeLog.close()
    },
    /** Stops what runs beside the engine and uses it. */
    async stopJobs() {
      await conflicts?.stop()
      await jobs.close()
    },
    /** Closes what the engine used, once it has stopped. */
    async close() {
      await deadLetters.close()
      unwatchVersions()
      await outbound.close()
      await programs.close()
      await sandbox.close()
    },
  }
}
