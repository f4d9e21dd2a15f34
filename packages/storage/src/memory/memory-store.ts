import type { Clock, Random } from '@sluice/core'
import type { DeadLetterLimits, Store } from '@sluice/pipeline'
import type { SchemaLimits } from '@sluice/schema'
import { createAppendWatchers } from '../append-watchers.ts'
import { defaultDeadLetterLimits } from '../dead-letter-limits.ts'
import { StoreClosedError } from '../store-errors.ts'
import { createVersionWatchers } from '../version-watchers.ts'
import { createMemoryAuditLog } from './memory-audit-log.ts'
import { createMemoryCounterStore } from './memory-counter-store.ts'
import { createMemoryCrashStore } from './memory-crash-store.ts'
import { createMemoryDeadLetterStore } from './memory-dead-letter-store.ts'
import { createMemoryEventLog } from './memory-event-log.ts'
import { createMemoryReceiptStore } from './memory-receipt-store.ts'
import { createMemoryRegulationStore } from './memory-regulation-store.ts'
import { createMemoryRetryStore } from './memory-retry-store.ts'
import { createMemorySchemaStore } from './memory-schema-store.ts'
import { createMemoryTransformationStore } from './memory-transformation-store.ts'

export interface MemoryStoreOptions {
  readonly clock: Clock
  readonly random: Random
  /** How many receipts are kept, over all workspaces; default 100,000. */
  readonly receiptsMax?: number
  /** How many audit entries are kept, over all workspaces; default 100,000. */
  readonly auditEntriesMax?: number
  /** What differs from the default: 100,000 dead letters, 1 GiB, 30 days. */
  readonly deadLetterLimits?: Partial<DeadLetterLimits>
  /** What differs from the default limits of the schema catalogue. */
  readonly schemaLimits?: Partial<SchemaLimits>
  /** Gets what a listener of `watch` threw. */
  readonly onError?: (error: unknown) => void
}

/** A store for tests: keeps the promises of every port but durability, and has no disk budget. */
export function createMemoryStore(options: MemoryStoreOptions): Store {
  const { clock, random, receiptsMax = 100_000, auditEntriesMax = 100_000, onError } = options
  let closed = false
  const requireOpen = (): void => {
    if (closed) throw new StoreClosedError()
  }
  const watchers = createAppendWatchers(onError ?? (() => {}))
  const counters = createMemoryCounterStore(requireOpen)
  const receipts = createMemoryReceiptStore(receiptsMax, requireOpen)
  const retries = createMemoryRetryStore({
    counters,
    receipts,
    bury: (letters) => deadLetters.putNow(letters),
    requireOpen,
  })
  const limits = { ...defaultDeadLetterLimits, ...options.deadLetterLimits }
  const deadLetters = createMemoryDeadLetterStore({ limits, clock, counters, retries, requireOpen })
  const versionWatchers = createVersionWatchers(onError ?? (() => {}))
  const schema = createMemorySchemaStore({
    clock,
    random,
    watchers: versionWatchers,
    requireOpen,
    ...(options.schemaLimits ? { limits: options.schemaLimits } : {}),
  })
  return {
    log: createMemoryEventLog({ counters, receipts, retries, deadLetters, schema, watchers, requireOpen }),
    counters,
    receipts,
    retries,
    deadLetters,
    regulations: createMemoryRegulationStore(requireOpen, clock),
    schema,
    transformations: createMemoryTransformationStore(requireOpen),
    audit: createMemoryAuditLog(auditEntriesMax, requireOpen),
    crashes: createMemoryCrashStore(requireOpen),
    wipe: async () => requireOpen(),
    lostBatches: async () => [],
    close: async () => {
      closed = true
      watchers.clear()
      versionWatchers.clear()
    },
  }
}
