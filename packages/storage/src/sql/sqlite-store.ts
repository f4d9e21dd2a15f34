import { type Clock, type Random, StoreFullError } from '@sluice/core'
import type { DeadLetterLimits, Store } from '@sluice/pipeline'
import type { SchemaLimits } from '@sluice/schema'
import { createAppendWatchers } from '../append-watchers.ts'
import { defaultDeadLetterLimits } from '../dead-letter-limits.ts'
import { StoreClosedError } from '../store-errors.ts'
import { createVersionWatchers } from '../version-watchers.ts'
import { createGroupCommit } from './group-commit.ts'
import { migrate } from './migrate.ts'
import { createSqlAuditLog } from './sql-audit-log.ts'
import { createSqlCounterStore } from './sql-counter-store.ts'
import { createSqlDeadLetterStore } from './sql-dead-letter-store.ts'
import { createSqlEventLog } from './sql-event-log.ts'
import { createSqlReceiptStore } from './sql-receipt-store.ts'
import { createSqlRegulationStore } from './sql-regulation-store.ts'
import { createSqlRetryStore } from './sql-retry-store.ts'
import { createSqlSchemaStore } from './sql-schema-store.ts'
import type { Db, SqlSession } from './sql-session.ts'
import { createSqlTransformationStore } from './sql-transformation-store.ts'
import { isDiskFull, openSqliteDatabase } from './sqlite-database.ts'

export interface SqliteStoreOptions {
  /** The file, or ':memory:' for tests. Its folder is created when it is missing. */
  readonly path: string
  readonly clock: Clock
  readonly random: Random
  /** When an acknowledged write is on disk: 'full' (default) at once, 'normal' only at the next checkpoint. A kill loses nothing with either, a power failure may with 'normal'. */
  readonly synchronous?: 'full' | 'normal'
  /** Batches are refused when the store uses this much; default 4 GiB. Other writes go on. The write-ahead log comes on top. */
  readonly budgetBytes?: number
  /** How many receipts are kept, over all workspaces; default 100,000. Up to 5 % more for a while. */
  readonly receiptsMax?: number
  /** How many audit entries are kept, over all workspaces; default 100,000. Up to 5 % more for a while. */
  readonly auditEntriesMax?: number
  /** What differs from the default: 100,000 dead letters, 1 GiB, 30 days. */
  readonly deadLetterLimits?: Partial<DeadLetterLimits>
  /** What differs from the default limits of the schema catalogue. */
  readonly schemaLimits?: Partial<SchemaLimits>
  /** Gets what goes wrong where nobody waits for an answer: what a listener of `watch` threw. */
  readonly onError?: (error: unknown) => void
}

/** Writes that may wait for the disk. */
const queueLengthMax = 1_024
/** Writes in one commit: a few milliseconds of work. */
const groupLengthMax = 128

/**
 * Everything Sluice remembers in one SQLite file, used by one process at a time.
 *
 * A write is durable when its promise resolves; writes that come together share one commit. The store is migrated
 * forward when it was written by an older release.
 *
 * @throws StoreInUseError when another process has it open; StoreVersionError when a newer release wrote it.
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { path, clock, random, synchronous = 'full', budgetBytes = 4 * 1024 ** 3, receiptsMax = 100_000 } = options
  const database = openSqliteDatabase({ path, synchronous })
  try {
    await migrate(database)
  } catch (error) {
    database.close()
    throw error
  }

  let closing: Promise<void> | undefined
  const requireOpen = (): void => {
    if (closing !== undefined) throw new StoreClosedError()
  }
  const commits = createGroupCommit<Db>({
    transact: (work) => database.db.transaction().execute(work),
    queueLengthMax,
    groupLengthMax,
  })
  const reads = new Set<Promise<unknown>>()
  const session: SqlSession = {
    read: async (query) => {
      requireOpen()
      const answer = query(database.db)
      reads.add(answer)
      try {
        return await answer
      } finally {
        reads.delete(answer)
      }
    },
    write: async (write) => {
      requireOpen()
      try {
        return await commits.submit(write)
      } catch (error) {
        if (isDiskFull(error)) throw new StoreFullError('the disk of the store is full', { cause: error })
        throw error
      }
    },
  }

  const watchers = createAppendWatchers(options.onError ?? (() => {}))
  const receipts = createSqlReceiptStore(session, receiptsMax)
  const deadLetters = createSqlDeadLetterStore(session, {
    clock,
    limits: { ...defaultDeadLetterLimits, ...options.deadLetterLimits },
  })
  const versionWatchers = createVersionWatchers(options.onError ?? (() => {}))
  const schema = createSqlSchemaStore(session, {
    clock,
    random,
    watchers: versionWatchers,
    ...(options.schemaLimits ? { limits: options.schemaLimits } : {}),
  })
  const { usedBytes } = database
  return {
    log: createSqlEventLog(session, { receipts, deadLetters, schema, watchers, usedBytes, budgetBytes, requireOpen }),
    counters: createSqlCounterStore(session),
    receipts,
    retries: createSqlRetryStore(session, { receipts, deadLetters }),
    deadLetters,
    regulations: createSqlRegulationStore(session),
    schema,
    transformations: createSqlTransformationStore(session),
    audit: createSqlAuditLog(session, options.auditEntriesMax ?? 100_000),
    wipe: async () => {
      requireOpen()
      const wiped = database.checkpoint()
      reads.add(wiped)
      await wiped.finally(() => reads.delete(wiped))
    },
    close: () => {
      closing ??= (async () => {
        await commits.drain()
        await Promise.allSettled(reads)
        watchers.clear()
        versionWatchers.clear()
        database.close()
      })()
      return closing
    },
  }
}
