import { type Clock, type Random, StoreFullError } from '@sluice/core'
import { withDefaults } from '@sluice/core/with-defaults'
import type { DeadLetterLimits, Store } from '@sluice/pipeline'
import type { SchemaLimits } from '@sluice/schema'
import { createAppendWatchers } from '../append-watchers.ts'
import { defaultDeadLetterLimits } from '../dead-letter-limits.ts'
import { createRowEventLog } from '../sql/log/row-event-log.ts'
import { createRowSchemaStore } from '../sql/schema/schema-rows.ts'
import { StoreClosedError, type StoreDamagedError, StoreUnusableError } from '../store-errors.ts'
import { createVersionWatchers } from '../version-watchers.ts'
import { isMissing, packagesAreMissing } from './driver/driver-problem.ts'
import type { FileState } from './file-watch.ts'
import type { StoreRecovery } from './recovery/store-recovery.ts'
import type { SqliteStores, SqliteStoresParts, SqliteStoresSettings } from './sqlite-stores.ts'
import { openThreadStores } from './thread/thread-stores.ts'

export interface SqliteStoreOptions {
  /** The file, or ':memory:' for tests. A missing folder is created. */
  readonly path: string
  readonly clock: Clock
  /** Source of the ids of stored records. With a thread of its own, only its seed is taken from here. */
  readonly random: Random
  /**
   * Whether the database runs in its own thread, so that a slow disk never blocks the event loop (default for a file),
   * or in the calling one.
   */
  readonly thread?: 'own' | 'this'
  /**
   * When an acknowledged write is on disk: 'full' (default) immediately, 'normal' at the next checkpoint. A killed
   * process loses nothing in either case; a power failure can lose writes with 'normal'.
   */
  readonly synchronous?: 'full' | 'normal'
  /**
   * Size of the store at which batches are refused; default 4 GiB. Above 80 %, batches kept only for replays are
   * deleted. Other writes continue. The write-ahead log is not included.
   */
  readonly budgetBytes?: number
  /** Free disk space below which batches are refused; default 64 MiB. */
  readonly reserveBytes?: number
  /** Largest size of the file, beyond which writes fail as on a full disk; default no limit. For tests. */
  readonly fileBytesMax?: number
  /**
   * Size of the cache of the newest batches for consumers that keep up, measured by their JSON texts; default 8 MiB.
   */
  readonly recentBytesMax?: number
  /** Number of receipts to keep, over all workspaces; default 100,000. Up to 5 % more between two prunings. */
  readonly receiptsMax?: number
  /** Number of audit entries to keep, and of changes, over all workspaces; default 100,000. Up to 5 % more between two prunings. */
  readonly auditEntriesMax?: number
  /** Overrides of the defaults: 100,000 dead letters, 1 GiB, 30 days. */
  readonly deadLetterLimits?: Partial<DeadLetterLimits>
  /** Overrides of the default limits of the schema catalogue. */
  readonly schemaLimits?: Partial<SchemaLimits>
  /**
   * Called before the store is returned when it was not closed the last time, or when acknowledged batches or other
   * commits are missing, as after an older file was put in its place.
   * A killed process loses none.
   */
  readonly onUncleanShutdown?: (recovery: StoreRecovery) => void
  /**
   * Called when the file of a store that was not closed has been checked, which happens while the store is in use.
   * @param damage left out when there is none. Otherwise `isDamaged` of the store returns true from then on.
   */
  readonly onChecked?: (damage?: StoreDamagedError) => void
  /** Receives errors that no caller waits for: what a listener of `watch` throws, or the end of the store's thread. */
  readonly onError?: (error: unknown) => void
}

/**
 * Opens everything Sluice stores in one SQLite file, used by one process at a time.
 *
 * A write is durable when its promise resolves; concurrent writes share one commit. A store written by an older release
 * is migrated.
 *
 * @throws StoreInUseError when another process has it open; StoreVersionError when a newer release wrote it;
 * StoreUnusableError when the optional packages are not installed; StoreDamagedError when its file is found damaged on opening. A file that the last process did not close is checked
 * whole while it is in use, which `onChecked` reports; before it is opened only when it is unknown whether the write-ahead
 * log beside it is its own.
 * @example
 * ```ts
 * import { systemClock, systemRandom } from '@sluice/core'
 * import { openSqliteStore } from '@sluice/storage'
 *
 * const store = await openSqliteStore({ path: ':memory:', clock: systemClock, random: systemRandom })
 * console.log(await store.log.workspaces()) // []
 * await store.close()
 * ```
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { clock, random, onError = () => {} } = options
  const deadLetterLimits = withDefaults(defaultDeadLetterLimits, options.deadLetterLimits)
  const settings = {
    path: options.path,
    synchronous: options.synchronous ?? 'full',
    budgetBytes: options.budgetBytes ?? 4 * 1024 ** 3,
    reserveBytes: options.reserveBytes ?? 64 * 1024 ** 2,
    fileBytesMax: options.fileBytesMax,
    receiptsMax: options.receiptsMax ?? 100_000,
    auditEntriesMax: options.auditEntriesMax ?? 100_000,
    deadLetterLimits,
    schemaLimits: options.schemaLimits ?? {},
  }
  const { thread = settings.path === ':memory:' ? 'this' : 'own' } = options
  let isSetBack = false
  const onRecovery = (recovery: StoreRecovery): void => {
    isSetBack = recovery.lostCommits > 0
    if (recovery.isUnclean || recovery.lost || recovery.lostCommits > 0) options.onUncleanShutdown?.(recovery)
  }
  let isLost = false
  const onLost = (error: Error): void => {
    isLost = true
    onError(error)
  }
  let fileState: FileState = 'sound'
  const onState: SqliteStoresParts['onState'] = (state, error) => {
    fileState = state
    if (error) onError(error)
    else if (state === 'unwritable')
      onError(new StoreFullError(`${settings.path} cannot be written: nothing is accepted until it can be`))
  }
  let isDamaged = false
  const onChecked = (damage?: StoreDamagedError): void => {
    isDamaged = damage !== undefined
    options.onChecked?.(damage)
    // A query of the check has reported it already.
    if (damage && fileState !== 'damaged') onError(damage)
  }
  const parts = { clock, random, onRecovery, onChecked, onState, onLost }
  const opening = thread === 'this' ? openHere(settings, parts) : openThreadStores(settings, parts)
  const stores = await opening.catch((error: unknown) => {
    throw isMissing(error, 'kysely') ? new StoreUnusableError(packagesAreMissing('kysely')) : error
  })

  let closing: Promise<void> | undefined
  const requireOpen = (): void => {
    if (closing !== undefined) throw new StoreClosedError()
  }
  const appends = createAppendWatchers(onError)
  const versions = createVersionWatchers(onError)
  return {
    kind: 'SQLite',
    log: createRowEventLog({
      rows: stores.log,
      appends,
      versions,
      recentBytesMax: options.recentBytesMax ?? 8 * 1024 ** 2,
      requireOpen,
    }),
    counters: stores.counters,
    history: stores.history,
    receipts: { ...stores.receipts, receiptsMax: settings.receiptsMax },
    retries: stores.retries,
    deadLetters: { ...stores.deadLetters, limits: deadLetterLimits },
    regulations: {
      ...stores.regulations,
      ledger: stores.ledgerMarks,
      index: stores.segments,
      deletions: stores.deletions,
      writings: stores.writings,
      requests: stores.subjectRequests,
    },
    schema: createRowSchemaStore(stores.schema, versions),
    transformations: stores.transformations,
    configuration: stores.configuration,
    audit: stores.audit,
    changeLog: stores.changeLog,
    crashes: stores.crashes,
    sessions: stores.sessions,
    loads: stores.loads,
    isLost: () => isLost || fileState === 'replaced',
    isDamaged: () => isDamaged || fileState === 'damaged',
    isUnwritable: () => fileState === 'unwritable',
    isSetBack: () => isSetBack,
    wipe: () => stores.disk.wipe(),
    lostBatches: () => stores.disk.lostBatches(),
    lostCommits: () => stores.disk.lostCommits(),
    backup: settings.path === ':memory:' ? undefined : (path?: string) => stores.disk.backup(path),
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

/** Loaded only when needed: the query builder alone has 260 modules, which usually only the store's thread loads. */
async function openHere(settings: SqliteStoresSettings, parts: SqliteStoresParts): Promise<SqliteStores> {
  return (await import('./sqlite-stores.ts')).openSqliteStores(settings, parts)
}
