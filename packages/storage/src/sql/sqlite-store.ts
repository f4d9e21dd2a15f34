import type { Clock, Random } from '@sluice/core'
import type { DeadLetterLimits, Store } from '@sluice/pipeline'
import type { SchemaLimits } from '@sluice/schema'
import { createAppendWatchers } from '../append-watchers.ts'
import { defaultDeadLetterLimits } from '../dead-letter-limits.ts'
import { StoreClosedError } from '../store-errors.ts'
import { createVersionWatchers } from '../version-watchers.ts'
import type { StoreRecovery } from './recover.ts'
import { createRowEventLog } from './row-event-log.ts'
import { createRowSchemaStore } from './schema-rows.ts'
import { openThreadStores } from './thread/thread-stores.ts'

export interface SqliteStoreOptions {
  /** The file, or ':memory:' for tests. Its folder is created when it is missing. */
  readonly path: string
  readonly clock: Clock
  /** Makes the ids of what is stored; in a thread of its own only the beginning of a sequence. */
  readonly random: Random
  /**
   * Whether the database has a thread of its own, so that a slow disk never holds up the event loop (default for a file),
   * or runs in this one.
   */
  readonly thread?: 'own' | 'this'
  /** When an acknowledged write is on disk: 'full' (default) at once, 'normal' only at the next checkpoint. A kill loses nothing with either, a power failure may with 'normal'. */
  readonly synchronous?: 'full' | 'normal'
  /**
   * Batches are refused when the store uses this much; default 4 GiB. From 80 % on, batches that are only kept to be
   * replayed make room. Other writes go on. The write-ahead log comes on top.
   */
  readonly budgetBytes?: number
  /** Batches are refused, too, when less than this is free on the disk; default 64 MiB. */
  readonly reserveBytes?: number
  /** The file does not grow beyond this, as on a disk that is full; default no limit. For tests of what happens then. */
  readonly fileBytesMax?: number
  /** How much of the newest batches is kept in memory for consumers that keep up, measured by their JSON texts; default 8 MiB. */
  readonly recentBytesMax?: number
  /** How many receipts are kept, over all workspaces; default 100,000. Up to 5 % more for a while. */
  readonly receiptsMax?: number
  /** How many audit entries are kept, over all workspaces; default 100,000. Up to 5 % more for a while. */
  readonly auditEntriesMax?: number
  /** What differs from the default: 100,000 dead letters, 1 GiB, 30 days. */
  readonly deadLetterLimits?: Partial<DeadLetterLimits>
  /** What differs from the default limits of the schema catalogue. */
  readonly schemaLimits?: Partial<SchemaLimits>
  /**
   * Told, before this resolves, of a store that was not closed, and of acknowledged batches that are not in it any more.
   * A kill loses none.
   */
  readonly onUncleanShutdown?: (recovery: StoreRecovery) => void
  /** Gets what goes wrong where nobody waits for an answer: what a listener of `watch` threw. */
  readonly onError?: (error: unknown) => void
}

/**
 * Everything Sluice remembers in one SQLite file, used by one process at a time.
 *
 * A write is durable when its promise resolves; writes that come together share one commit. The store is migrated
 * forward when it was written by an older release.
 *
 * @throws StoreInUseError when another process has it open; StoreVersionError when a newer release wrote it;
 * StoreDamagedError when its file is damaged, which is looked for after a process that did not close it.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { clock, random, onError = () => {} } = options
  const deadLetterLimits = { ...defaultDeadLetterLimits, ...options.deadLetterLimits }
  const settings = {
    path: options.path,
    synchronous: options.synchronous ?? 'full',
    budgetBytes: options.budgetBytes ?? 4 * 1024 ** 3,
    reserveBytes: options.reserveBytes ?? 64 * 1024 ** 2,
    ...(options.fileBytesMax === undefined ? {} : { fileBytesMax: options.fileBytesMax }),
    receiptsMax: options.receiptsMax ?? 100_000,
    auditEntriesMax: options.auditEntriesMax ?? 100_000,
    deadLetterLimits,
    schemaLimits: options.schemaLimits ?? {},
  }
  const { thread = settings.path === ':memory:' ? 'this' : 'own' } = options
  // The query builder alone has 260 modules, which a process needs only where no thread of its own loads them.
  const open = thread === 'this' ? (await import('./sql-stores.ts')).openSqlStores : openThreadStores
  const onRecovery = (recovery: StoreRecovery): void => {
    if (recovery.isUnclean || recovery.lost) options.onUncleanShutdown?.(recovery)
  }
  let isLost = false
  const onLost = (error: Error): void => {
    isLost = true
    onError(error)
  }
  const stores = await open(settings, { clock, random, onRecovery, onLost })

  let closing: Promise<void> | undefined
  const requireOpen = (): void => {
    if (closing !== undefined) throw new StoreClosedError()
  }
  const appends = createAppendWatchers(onError)
  const versions = createVersionWatchers(onError)
  return {
    log: createRowEventLog({
      rows: stores.log,
      appends,
      versions,
      recentBytesMax: options.recentBytesMax ?? 8 * 1024 ** 2,
      requireOpen,
    }),
    counters: stores.counters,
    receipts: { ...stores.receipts, receiptsMax: settings.receiptsMax },
    retries: stores.retries,
    deadLetters: { ...stores.deadLetters, limits: deadLetterLimits },
    regulations: { ...stores.regulations, index: stores.segments, deletions: stores.deletions },
    schema: createRowSchemaStore(stores.schema, versions),
    transformations: stores.transformations,
    audit: stores.audit,
    crashes: stores.crashes,
    isLost: () => isLost,
    wipe: () => stores.disk.wipe(),
    lostBatches: () => stores.disk.lostBatches(),
    ...(settings.path === ':memory:' ? {} : { backup: (path?: string) => stores.disk.backup(path) }),
    close: () => {
      closing ??= (async () => {
        await stores.disk.close()
        appends.clear()
        versions.clear()
      })()
      return closing
    },
  }
}
