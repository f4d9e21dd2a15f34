import { InvariantError, StoreFullError } from '@sluice/core'
import { StoreClosedError } from '../store-errors.ts'
import { createGroupCommit } from './group-commit.ts'
import type { SqlDatabase } from './sql-database.ts'
import type { Db, SqlSession } from './sql-session.ts'
import { flushCounts } from './stores/flow/sql-counter-store.ts'
import type { WriteMark } from './write-mark.ts'

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

/**
 * Runs a write whose answer may be lost, and again when it was not stored.
 * @param write makes it; its transaction notes the mark.
 * @param recall returns what the write was to return, when it is stored but the answer was lost.
 */
export type Once = <Result>(
  write: (mark: WriteMark) => Promise<Result>,
  recall: () => Result | Promise<Result>,
) => Promise<Result>

interface SessionHooks {
  /** For a database whose answer to a commit may be lost. Left out, a commit that fails has stored nothing, for sure. */
  readonly numbered?: {
    readonly once: Once
    /** Called first in each transaction, to note its mark; a throw refuses all its writes. */
    readonly begin: (transaction: Db, mark: WriteMark) => Promise<void>
  }
  /** Called in each transaction before its commit, after its writes. */
  readonly beforeCommit?: () => void
  /** Called with each transaction after its commit, before its writes are answered. */
  readonly onCommit?: (transaction: Db) => void
}

/** Starts the session of an open database: writes share commits, one transaction at a time. */
export function openSession(
  { db, dialect }: SqlDatabase,
  { numbered, beforeCommit, onCommit }: SessionHooks = {},
): OpenSession {
  let isClosed = false
  const requireOpen = (): void => {
    if (isClosed) throw new StoreClosedError()
  }
  const commits = createGroupCommit<Db>({
    transact: async (work) => {
      type Made = { readonly result: Awaited<ReturnType<typeof work>>; readonly transaction: Db }
      let made: Made | undefined
      const write = (mark?: WriteMark): Promise<Made> =>
        db.transaction().execute(async (transaction) => {
          if (mark) await numbered?.begin(transaction, mark)
          const result = await work(transaction)
          // Several processes would wait for each other's rows.
          await flushCounts(transaction, numbered === undefined)
          beforeCommit?.()
          made = { result, transaction }
          return made
        })
      const recall = (): Made => {
        if (made === undefined) throw new InvariantError('a transaction is stored that was never complete')
        return made
      }
      const { result, transaction } = await (numbered ? numbered.once(write, recall) : write())
      onCommit?.(transaction)
      return result
    },
    isOfOneWrite: dialect.isOfOneWrite,
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
