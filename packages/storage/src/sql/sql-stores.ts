import { rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Clock, type Random, StoreFullError } from '@sluice/core'
import type {
  AuditLog,
  CounterStore,
  CrashStore,
  DeadLetterLimits,
  DeadLetterStore,
  LostBatches,
  ReceiptStore,
  RetryStore,
} from '@sluice/pipeline'
import type { DeletionStore, RegulationStore, SegmentStore } from '@sluice/regulation'
import type { SchemaLimits } from '@sluice/schema'
import type { TransformationStore } from '@sluice/transformations'
import { StoreClosedError, StoreInUseError } from '../store-errors.ts'
import { writeBackup } from './backup.ts'
import { createGroupCommit } from './group-commit.ts'
import { HighWaterMark } from './high-water-mark.ts'
import { inspectStore } from './inspect-store.ts'
import { LogBudget } from './log-budget.ts'
import type { LogRows } from './log-rows.ts'
import { migrate, requireKnownVersion } from './migrate.ts'
import { appendedTo, findLost, hasBytes, isLeftOpen, lostBatches, type StoreRecovery, takeOver } from './recover.ts'
import type { SchemaRows } from './schema-rows.ts'
import { createSqlAuditLog } from './sql-audit-log.ts'
import { createSqlCounterStore, flushCounts } from './sql-counter-store.ts'
import { createSqlCrashStore } from './sql-crash-store.ts'
import { createSqlDeadLetterStore } from './sql-dead-letter-store.ts'
import { createSqlDeletionStore } from './sql-deletion-store.ts'
import { createSqlLogRows } from './sql-log-rows.ts'
import { createSqlReceiptStore } from './sql-receipt-store.ts'
import { createSqlRegulationStore } from './sql-regulation-store.ts'
import { createSqlRetryStore } from './sql-retry-store.ts'
import { createSqlSchemaRows } from './sql-schema-rows.ts'
import { createSqlSegmentStore } from './sql-segment-store.ts'
import type { Db, SqlSession } from './sql-session.ts'
import { createSqlTransformationStore } from './sql-transformation-store.ts'
import { damagedError, isDamage, isDiskFull, openSqliteDatabase, type SqliteDatabase } from './sqlite-database.ts'

/** What one database serves, all of it asynchronous and in plain data: it may be asked from another thread. */
export interface SqlStores {
  readonly log: LogRows
  readonly counters: CounterStore
  readonly receipts: Omit<ReceiptStore, 'receiptsMax'>
  readonly retries: RetryStore
  readonly deadLetters: Omit<DeadLetterStore, 'limits'>
  readonly regulations: Omit<RegulationStore, 'index' | 'deletions'>
  readonly segments: SegmentStore
  readonly deletions: DeletionStore
  readonly schema: SchemaRows
  readonly transformations: TransformationStore
  readonly audit: AuditLog
  readonly crashes: CrashStore
  readonly disk: Disk
}

export interface Disk {
  /** See `Store.wipe`. */
  wipe(): Promise<void>
  /** See `Store.lostBatches`. */
  lostBatches(): Promise<readonly LostBatches[]>
  /** See `Store.backup`. */
  backup(path?: string): Promise<string>
  /** Ends what was asked before, then lets go of the file. To be called once; nothing can be asked any more. */
  close(): Promise<void>
}

/** Plain data. */
export interface SqlStoresSettings {
  readonly path: string
  readonly synchronous: 'full' | 'normal'
  readonly budgetBytes: number
  readonly reserveBytes: number
  readonly fileBytesMax?: number
  readonly receiptsMax: number
  readonly auditEntriesMax: number
  readonly deadLetterLimits: DeadLetterLimits
  readonly schemaLimits: Partial<SchemaLimits>
}

export interface SqlStoresParts {
  readonly clock: Clock
  readonly random: Random
  /** Told once, before the store is given away. */
  readonly onRecovery: (recovery: StoreRecovery) => void
  /** Told when a thread of its own ended that was not asked to. */
  readonly onLost?: (error: Error) => void
}

/** Writes that may wait for the disk. */
const queueLengthMax = 1_024
/** Writes in one commit: a few milliseconds of work. */
const groupLengthMax = 128

/** Opens the file in this thread and brings it to the version of this release. For what it throws see `openSqliteStore`. */
export async function openSqlStores(
  settings: SqlStoresSettings,
  { clock, random, onRecovery }: SqlStoresParts,
): Promise<SqlStores> {
  if (settings.path !== ':memory:') inspectStore(settings.path)
  const hadLog = hasBytes(`${settings.path}-wal`)
  const database = openSqliteDatabase(settings)
  const { recovery, mark } = await recover(database, settings.path, hadLog, clock)
  onRecovery(recovery)
  // A name that nobody gives to a backup of their own, which would go with it.
  const backupPath = `${settings.path}.backup-to-send`
  // Of a process that was killed over it.
  if (mark !== undefined) for (const suffix of ['', '.partial']) rmSync(`${backupPath}${suffix}`, { force: true })

  let closed = false
  let appended = 0
  let isBackingUp = false
  const requireOpen = (): void => {
    if (closed) throw new StoreClosedError()
  }
  const commits = createGroupCommit<Db>({
    // One at a time: what was appended is known by the newest position.
    transact: async (work) => {
      appended = 0
      const result = await database.db.transaction().execute(async (db) => {
        const done = await work(db)
        await flushCounts(db)
        return done
      })
      mark?.raise(appended)
      return result
    },
    queueLengthMax,
    groupLengthMax,
  })
  const reads = new Set<Promise<unknown>>()
  const reading = async <Result>(answer: Promise<Result>): Promise<Result> => {
    reads.add(answer)
    try {
      return await answer
    } finally {
      reads.delete(answer)
    }
  }
  const session: SqlSession = {
    read: async (query) => {
      requireOpen()
      return reading(query(database.db))
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

  const receipts = createSqlReceiptStore(session, settings.receiptsMax)
  const deadLetters = createSqlDeadLetterStore(session, { clock, limits: settings.deadLetterLimits })
  const schema = createSqlSchemaRows(session, { clock, random, limits: settings.schemaLimits })
  const budget = new LogBudget(session, {
    clock,
    usedBytes: database.usedBytes,
    folder: settings.path === ':memory:' ? undefined : database.folder,
    budgetBytes: settings.budgetBytes,
    reserveBytes: settings.reserveBytes,
  })
  return {
    log: createSqlLogRows(session, {
      receipts,
      deadLetters,
      schema,
      budget,
      onAppend: (position) => {
        appended = position
      },
    }),
    counters: createSqlCounterStore(session),
    receipts,
    retries: createSqlRetryStore(session, { receipts, deadLetters }),
    deadLetters,
    regulations: createSqlRegulationStore(session, clock),
    segments: createSqlSegmentStore(session),
    deletions: createSqlDeletionStore(session),
    schema,
    transformations: createSqlTransformationStore(session),
    audit: createSqlAuditLog(session, settings.auditEntriesMax),
    crashes: createSqlCrashStore(session),
    disk: {
      wipe: async () => {
        requireOpen()
        await reading(database.checkpoint())
      },
      lostBatches: () => session.read(lostBatches),
      backup: async (path = backupPath) => {
        requireOpen()
        if (isBackingUp) throw new StoreInUseError('a backup of the store is being made: wait for it')
        isBackingUp = true
        try {
          budget.requireDisk(dirname(resolve(path)), database.fileBytes())
          await reading(writeBackup(database, path, { checkpoint: requireOpen, isChecked: false }))
          return path
        } finally {
          isBackingUp = false
        }
      },
      close: async () => {
        closed = true
        await commits.drain()
        await Promise.allSettled(reads)
        let isClean = false
        try {
          database.writeBack()
          isClean = true
          // Before the next one may have the file.
          await mark?.end({ isClean })
        } catch (error) {
          if (!isDiskFull(error)) throw error
          throw new StoreFullError(
            `the disk of ${database.folder} is full: what was acknowledged stays in the write-ahead log, which the next start takes in`,
          )
        } finally {
          if (!isClean) await mark?.end({ isClean })
          try {
            database.close()
          } catch {
            // The same failed just now, and is told.
          }
        }
      },
    },
  }
}

/** Looks at what was left behind, and brings it to the version of this release. Lets go of the file when it throws. */
async function recover(database: SqliteDatabase, path: string, hadLog: boolean, clock: Clock) {
  let mark: HighWaterMark | undefined
  try {
    requireKnownVersion(database)
    if (path !== ':memory:') mark = new HighWaterMark(`${path}.mark`)
    const isUnclean = mark !== undefined && isLeftOpen(mark, hadLog)
    if (mark) takeOver(database, mark)
    await migrate(database)
    const lost = mark && (await findLost(database, mark, clock.now()))
    mark?.begin(await appendedTo(database.db))
    return { mark, recovery: { isUnclean, lost } }
  } catch (error) {
    try {
      database.writeBack()
      mark?.withdraw()
    } catch {
      // What was wrong first is what helps.
    }
    await mark?.end({ isClean: false })
    try {
      database.close()
    } catch {
      // As above.
    }
    if (isDiskFull(error))
      throw new StoreFullError(`the disk of ${database.folder} is full: make room there`, { cause: error })
    throw isDamage(error) ? damagedError(path, error) : error
  }
}
