import { withDefaults } from '@sluice/core/with-defaults'
import {
  createAuditArea,
  createBackupArea,
  createChangesArea,
  createCircuitTryArea,
  createDeliveriesArea,
  createLogsArea,
  createOperationsArea,
  createPayloadArea,
  createRecordedEventsArea,
  createServerArea,
  createStudioArea,
  createTapArea,
  type SearchTurns,
} from '@sluice/http'
import { defaultRetentionOptions, readDeliveries, readPayload, recordedEvents } from '@sluice/pipeline'
import type { Base } from '../base.ts'
import type { FlowParts } from '../flow.ts'
import type { OperationsParts } from '../operations.ts'
import type { StoreParts } from '../stores.ts'
import type { Gates } from './gates.ts'

/** Creates the areas for operators: what runs here, how it fares, and what passes through. */
export function createOperationsAreas(
  { options, clock }: Base,
  { store, cluster }: StoreParts,
  { engine, masks, tap, codeLog, tryNow, workspaces }: FlowParts,
  { metrics, usage, history, health, vitals, workTimes }: OperationsParts,
  { gate, operatorGate, admin, attempts, sessions }: Gates,
  searches: SearchTurns,
) {
  const { backup } = store
  return {
    operations: createOperationsArea({
      gate: operatorGate,
      engine,
      metrics,
      usage,
      now: () => clock.now(),
      circuits: health,
      history,
    }),
    circuitTries: createCircuitTryArea({
      gate,
      circuits: health,
      tryNow,
      now: () => clock.now(),
    }),
    payloads: createPayloadArea({
      gate,
      searches,
      readPayload: (workspaceId, messageId, isMasked) =>
        readPayload({ workspaceId, messageId, isMasked }, { store, engine, masks, clock }),
    }),
    recordedEvents: createRecordedEventsArea({
      gate,
      searches,
      recordedEvents: (workspaceId, query) =>
        recordedEvents({ workspaceId, ...query }, { store, engine, masks, clock }),
    }),
    deliveries: createDeliveriesArea({
      gate,
      readDeliveries: (workspaceId, destinationId, isMasked) =>
        readDeliveries({ workspaceId, destinationId, isMasked }, engine.kept, masks),
    }),
    audit: createAuditArea({ gate, audit: store.audit }),
    changes: createChangesArea({ gate, changeLog: store.changeLog }),
    server: createServerArea({
      gate,
      server: {
        startedAt: clock.now(),
        storeKind: store.kind,
        ledger: options.ledger?.place.name,
        retention: withDefaults(defaultRetentionOptions, options.retention),
        receiptsMax: options.receipts === 'off' ? 0 : store.receipts.receiptsMax,
        now: () => clock.now(),
        processes: store.processes?.bind(store),
        vitals,
        workTimes,
        logUsage: (workspaceId) => store.log.usage(workspaceId),
        cluster: () => {
          if (cluster === undefined) return undefined
          const { isLeader, measures, newerRoutes } = cluster
          const { nodes, lanes, otherDefinitions } = measures
          return { nodes, lanes, isLeader, otherDefinitions, hasOlderDefinition: newerRoutes !== undefined }
        },
      },
    }),
    tap: createTapArea({ gate: operatorGate, tap }),
    logs: createLogsArea({ gate: operatorGate, codeLog }),
    backup: admin && createBackupArea({ admin, attempts, backup: backup && (() => backup.call(store)) }),
    studio: options.studio && sessions && createStudioArea({ workspaces, attempts, sessions, files: options.studio }),
  }
}
