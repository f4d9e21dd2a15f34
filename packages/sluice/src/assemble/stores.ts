import type { Store } from '@sluice/pipeline'
import { createLedger, createSuppressionIndex, type Ledger, type SuppressionIndex } from '@sluice/regulation'
import { createMemoryStore } from '@sluice/storage'
import { type ChangeNotes, createChangeNotes } from '../changes/change-notes.ts'
import { createLedgerComparison, type LedgerComparison } from '../governance/ledger-comparison.ts'
import { type MeasuredChanges, measureChanges } from '../telemetry/measure-changes.ts'
import type { Base } from './base.ts'
import type { TelemetryParts } from './telemetry.ts'

/** What outlives an event, and how processes that share it agree. */
export interface StoreParts {
  readonly store: Store
  readonly cluster: Store['cluster']
  readonly ledger: Ledger | undefined
  readonly comparison: LedgerComparison
  readonly index: SuppressionIndex
  /** Waits until a change is in force in all processes that share the store; undefined where there is only this one. */
  readonly changes: MeasuredChanges | undefined
  /** Writes what changes for people. */
  readonly notes: ChangeNotes
  /** Whether this process does the work that only one of several does. */
  isActive(): boolean
  close(): Promise<void>
}

/** Opens what outlives an event: the store, the ledger of regulations, and the index of suppressed users. */
export function openStores(
  { options, clock, random, logger, onError }: Base,
  { instruments }: TelemetryParts,
): StoreParts {
  const store =
    options.store ??
    createMemoryStore({
      clock,
      random,
      schemaLimits: options.schemaLimits ?? {},
      deadLetterLimits: options.deadLetterLimits,
      receiptsMax: typeof options.receipts === 'number' ? options.receipts : undefined,
    })
  const { cluster } = store
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
  const comparison = createLedgerComparison({ ledger, store, logger })
  const index = createSuppressionIndex({
    store: store.regulations,
    clock,
    random,
    cluster,
    aliases: () => comparison.aliases,
    onError,
  })
  return {
    store,
    cluster,
    ledger,
    comparison,
    index,
    changes: cluster && measureChanges(cluster, instruments),
    notes: createChangeNotes({ log: store.changeLog, clock, onError }),
    isActive: () => cluster?.isLeader ?? true,
    async close() {
      await index.close().catch(onError)
      await ledger?.close().catch(onError)
      await store.close()
    },
  }
}
