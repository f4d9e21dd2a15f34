import type { Clock, Random } from '@sluice/core'
import { withDefaults } from '@sluice/core/with-defaults'
import type { DeadLetterLimits, Store } from '@sluice/pipeline'
import type { SchemaLimits } from '@sluice/schema'
import { createAppendWatchers } from '../append-watchers.ts'
import { defaultDeadLetterLimits } from '../dead-letter-limits.ts'
import { StoreClosedError } from '../store-errors.ts'
import { createVersionWatchers } from '../version-watchers.ts'
import { createMemoryCounterStore } from './flow/memory-counter-store.ts'
import { createMemoryCrashStore } from './flow/memory-crash-store.ts'
import { createMemoryDeadLetterStore } from './flow/memory-dead-letter-store.ts'
import { createMemoryEventLog } from './flow/memory-event-log.ts'
import { createMemoryHistoryStore } from './flow/memory-history-store.ts'
import { createMemoryLoadStore } from './flow/memory-load-store.ts'
import { createMemoryReceiptStore } from './flow/memory-receipt-store.ts'
import { createMemoryRetryStore } from './flow/memory-retry-store.ts'
import { createMemoryAuditLog } from './governance/memory-audit-log.ts'
import { createMemoryChangeLog } from './governance/memory-change-log.ts'
import { createMemoryRegulationStore } from './governance/memory-regulation-store.ts'
import { createMemoryConfigurationStore } from './records/memory-configuration-store.ts'
import { createMemorySchemaStore } from './records/memory-schema-store.ts'
import { createMemorySessionStore } from './records/memory-session-store.ts'
import { createMemoryTransformationStore } from './records/memory-transformation-store.ts'

export interface MemoryStoreOptions {
  readonly clock: Clock
  readonly random: Random
  /** Number of receipts to keep, over all workspaces; default 100,000. */
  readonly receiptsMax?: number
  /** Number of audit entries to keep, and of changes, over all workspaces; default 100,000. */
  readonly auditEntriesMax?: number
  /** Overrides of the defaults: 100,000 dead letters, 1 GiB, 30 days. */
  readonly deadLetterLimits?: Partial<DeadLetterLimits>
  /** Overrides of the default limits of the schema catalogue. */
  readonly schemaLimits?: Partial<SchemaLimits>
  /** Receives what a listener of `watch` throws. */
  readonly onError?: (error: unknown) => void
}

/**
 * Creates a store for tests. It keeps the promises of every port except durability, and has no disk budget.
 * @example
 * ```ts
 * import { systemClock, systemRandom } from '@sluice/core'
 * import { createMemoryStore } from '@sluice/storage'
 *
 * const store = createMemoryStore({ clock: systemClock, random: systemRandom })
 * console.log(await store.log.workspaces()) // []
 * await store.close()
 * ```
 */
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
    putDeadLetters: (letters) => deadLetters.putNow(letters),
    requireOpen,
  })
  const limits = withDefaults(defaultDeadLetterLimits, options.deadLetterLimits)
  const deadLetters = createMemoryDeadLetterStore({ limits, clock, counters, retries, requireOpen })
  const versionWatchers = createVersionWatchers(onError ?? (() => {}))
  const schema = createMemorySchemaStore({
    clock,
    random,
    watchers: versionWatchers,
    requireOpen,
    limits: options.schemaLimits,
  })
  return {
    kind: 'memory',
    log: createMemoryEventLog({ counters, receipts, retries, deadLetters, schema, watchers, requireOpen }),
    counters,
    history: createMemoryHistoryStore(counters, requireOpen),
    receipts,
    retries,
    deadLetters,
    regulations: createMemoryRegulationStore(requireOpen, clock),
    schema,
    transformations: createMemoryTransformationStore(requireOpen),
    configuration: createMemoryConfigurationStore(requireOpen),
    audit: createMemoryAuditLog(auditEntriesMax, requireOpen),
    changeLog: createMemoryChangeLog(auditEntriesMax, requireOpen),
    crashes: createMemoryCrashStore(requireOpen),
    sessions: createMemorySessionStore(requireOpen),
    loads: createMemoryLoadStore(requireOpen),
    wipe: async () => requireOpen(),
    lostBatches: async () => [],
    close: async () => {
      closed = true
      watchers.clear()
      versionWatchers.clear()
    },
  }
}
