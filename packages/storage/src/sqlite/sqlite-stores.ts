import { rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Clock, type Random, StoreFullError } from '@sluice/core'
import type { LogPosition, LostBatches } from '@sluice/pipeline'
import { LogBudget } from '../sql/log/log-budget.ts'
import { migrate, requireKnownVersion } from '../sql/migrate.ts'
import { openSession } from '../sql/open-session.ts'
import type { Db } from '../sql/sql-session.ts'
import { createSqlStores, type SqlStores, type SqlStoresLimits } from '../sql/sql-stores.ts'
import { type StoreDamagedError, StoreInUseError } from '../store-errors.ts'
import { writeBackup } from './backup/write-backup.ts'
import { type FileWatchOptions, watchFile } from './file-watch.ts'
import { freeBytesOf, requireFreeBytes } from './free-bytes.ts'
import { CommitCount, countCommits, findLostCommits, lostCommits, storeIdOf } from './recovery/commit-count.ts'
import { HighWaterMark } from './recovery/high-water-mark.ts'
import { inspectStore } from './recovery/inspect-store.ts'
import { startStoreCheck } from './recovery/store-check.ts'
import {
  appendedTo,
  findLost,
  hasBytes,
  isLeftOpen,
  lostBatches,
  type StoreRecovery,
  takeOver,
} from './recovery/store-recovery.ts'
import { openSqliteDatabase, type SqliteDatabase } from './sqlite-database.ts'
import { damagedError, isDamage, isDiskFull } from './sqlite-errors.ts'

/** The stores in one SQLite file, and what concerns the file itself. */
export interface SqliteStores extends SqlStores {
  readonly disk: Disk
}

export interface Disk {
  /** See `Store.wipe`. */
  wipe(): Promise<void>
  /** See `Store.lostBatches`. */
  lostBatches(): Promise<readonly LostBatches[]>
  /** See `Store.lostCommits`. */
  lostCommits(): Promise<number>
  /** See `Store.backup`. */
  backup(path?: string): Promise<string>
  /** Finishes the calls in progress, then closes the file. May be called once; later calls of any kind are refused. */
  close(): Promise<void>
}

/** Plain data. */
export interface SqliteStoresSettings extends SqlStoresLimits {
  readonly path: string
  readonly synchronous: 'full' | 'normal'
  readonly budgetBytes: number
  readonly reserveBytes: number
  readonly fileBytesMax?: number
}

export interface SqliteStoresParts {
  readonly clock: Clock
  readonly random: Random
  /** Called once, before the stores are returned. */
  readonly onRecovery: (recovery: StoreRecovery) => void
  /**
   * Called when the file of a store that was not closed has been checked, while the store is in use. @param damage left
   * out when there is none.
   */
  readonly onChecked: (damage?: StoreDamagedError) => void
  /** Called with each change of the state of the file, while the store is in use. */
  readonly onState: FileWatchOptions['onState']
  /** Called when the store's thread ended without having been closed. */
  readonly onLost?: (error: Error) => void
}

/**
 * Opens the file in this thread and migrates it to the version of this release. Throws what `openSqliteStore` throws.
 */
export async function openSqliteStores(
  settings: SqliteStoresSettings,
  { clock, random, onRecovery, onChecked, onState }: SqliteStoresParts,
): Promise<SqliteStores> {
  const { path, budgetBytes, reserveBytes } = settings
  const isToCheck = path !== ':memory:' && inspectStore(path, 'later')
  const hadLog = hasBytes(`${path}-wal`)
  const database = openSqliteDatabase(settings)
  const { recovery, mark } = await recover(database, path, hadLog, clock)
  onRecovery(recovery)
  // A name that no operator's backup would have, because the file is removed after it was sent.
  const backupPath = `${path}.backup-to-send`
  // Left by a process that was killed during a backup.
  if (mark !== undefined) for (const suffix of ['', '.partial']) rmSync(`${backupPath}${suffix}`, { force: true })

  let isBackingUp = false
  let appended: { readonly transaction: Db; readonly position: LogPosition } | undefined
  const commits = new CommitCount(database, await countCommits(database.db))
  const watch = watchFile(
    openSession(database, {
      beforeCommit: () => commits.count(),
      onCommit: (transaction) => {
        const position = appended?.transaction === transaction ? appended.position : 0
        mark?.raise({ commits: commits.committed(), position })
      },
    }),
    { path, onState },
  )
  const { session } = watch
  const check = isToCheck ? startStoreCheck(session, path, onChecked) : undefined
  const budget = new LogBudget(session, {
    clock,
    usedBytes: database.usedBytes,
    disk: path === ':memory:' ? undefined : { place: database.place, freeBytes: () => freeBytesOf(database.place) },
    budgetBytes,
    reserveBytes,
  })
  const stores = createSqlStores(session, {
    clock,
    random,
    limits: settings,
    budget,
    onAppend: (transaction, position) => {
      appended = { transaction, position }
    },
  })
  const disk: Disk = {
    wipe: () => session.read(() => database.checkpoint()),
    lostBatches: () => session.read(lostBatches),
    lostCommits: () => session.read(lostCommits),
    backup: async (to = backupPath) => {
      session.requireOpen()
      if (isBackingUp) throw new StoreInUseError('a backup of the store is being made: wait for it')
      isBackingUp = true
      try {
        requireFreeBytes(dirname(resolve(to)), database.fileBytes(), reserveBytes)
        await session.read(() => writeBackup(database, to, { checkpoint: session.requireOpen, isChecked: false }))
        return to
      } finally {
        isBackingUp = false
      }
    },
    close: async () => {
      watch.close()
      const isUnchecked = (await check?.end()) === false
      await session.close()
      let isClean = false
      try {
        database.writeBack()
        isClean = true
        // Before another process can open the file.
        await mark?.end({ isClean, isUnchecked })
      } catch (error) {
        if (!isDiskFull(error)) throw error
        throw new StoreFullError(
          `the disk of ${database.place} is full: acknowledged data stays in the write-ahead log; the next start reads it`,
        )
      } finally {
        if (!isClean) await mark?.end({ isClean })
        try {
          database.close()
        } catch {
          // Fails for the same reason as above, which was thrown.
        }
      }
    },
  }
  return { ...stores, disk }
}

/** Recovers from an unclean shutdown and migrates to the version of this release. Closes the file when it throws. */
async function recover(database: SqliteDatabase, path: string, hadLog: boolean, clock: Clock) {
  let mark: HighWaterMark | undefined
  try {
    await requireKnownVersion(database)
    if (path !== ':memory:') mark = new HighWaterMark(`${path}.mark`)
    const isUnclean = mark !== undefined && isLeftOpen(mark, hadLog)
    if (mark) takeOver(database, mark)
    await migrate(database)
    const lost = mark && (await findLost(database, mark, clock.now()))
    const lostCommits = mark ? await findLostCommits(database, mark) : 0
    const position = await appendedTo(database.db)
    const commits = await countCommits(database.db)
    mark?.begin({ position, commits, storeId: await storeIdOf(database.db, mark.found?.storeId) })
    return { mark, recovery: { isUnclean, lost, lostCommits } }
  } catch (error) {
    try {
      database.writeBack()
      mark?.withdraw()
    } catch {
      // The first error is the helpful one.
    }
    await mark?.end({ isClean: false })
    try {
      database.close()
    } catch {
      // As above.
    }
    if (isDiskFull(error))
      throw new StoreFullError(`the disk of ${database.place} is full: make room there`, { cause: error })
    throw isDamage(error) ? damagedError(path, error) : error
  }
}
