import { StoreFullError } from '@sluice/core'
import { StoreClosedError } from '../store-errors.ts'
import { createGroupCommit } from './group-commit.ts'
import type { SqlDatabase } from './sql-database.ts'
import type { Db, SqlSession } from './sql-session.ts'
import { flushCounts } from './stores/sql-counter-store.ts'

export interface OpenSession extends SqlSession {
  /** @throws StoreClosedError after `close`. */
  requireOpen(): void
  /** Refuses new reads and writes, and resolves when those in progress have ended. The database stays open. */
  close(): Promise<void>
}

/** Writes that may wait for the disk. */
const queueLengthMax = 1_024
/** Writes in one commit. */
const groupLengthMax = 128
/** Time for the writes of one commit: several times what the commit itself takes on a usual disk. */
const groupMsMax = 10

export interface SessionHooks {
  /** Called first in each transaction; a throw refuses all its writes. */
  readonly onBegin?: (transaction: Db) => Promise<void>
  /** Called with each transaction after its commit, before its writes are answered. */
  readonly onCommit?: (transaction: Db) => void
}

/** Starts the session of an open database: writes share commits, one transaction at a time. */
export function openSession({ db, dialect }: SqlDatabase, { onBegin, onCommit }: SessionHooks = {}): OpenSession {
  let isClosed = false
  const requireOpen = (): void => {
    if (isClosed) throw new StoreClosedError()
  }
  const commits = createGroupCommit<Db>({
    transact: async (work) => {
      const { result, transaction } = await db.transaction().execute(async (transaction) => {
        await onBegin?.(transaction)
        const result = await work(transaction)
        await flushCounts(transaction)
        return { result, transaction }
      })
      onCommit?.(transaction)
      return result
    },
    queueLengthMax,
    groupLengthMax,
    groupMsMax,
  })
  const reads = new Set<Promise<unknown>>()
  return {
    dialect,
    requireOpen,
    read: async (query) => {
      requireOpen()
      const answer = query(db)
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
        if (dialect.isDiskFull(error)) throw new StoreFullError('the disk of the store is full', { cause: error })
        throw error
      }
    },
    close: async () => {
      isClosed = true
      await commits.drain()
      await Promise.allSettled(reads)
    },
  }
}
