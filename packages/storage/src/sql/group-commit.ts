import { StoreFullError } from '@sluice/core'

/** A write that shares its transaction with others. Both functions may run twice: see `createGroupCommit`. */
export interface Write<Transaction, Result> {
  /** Looks whether the write may be done, and changes nothing. A throw rejects this write only. */
  readonly admit?: (transaction: Transaction) => Promise<void>
  readonly apply: (transaction: Transaction) => Promise<Result>
}

export interface GroupCommit<Transaction> {
  /**
   * Resolves once the transaction the write was part of is committed.
   * @throws StoreFullError when `queueLengthMax` writes are waiting; the write is not done then.
   */
  submit<Result>(write: Write<Transaction, Result>): Promise<Result>
  /** Resolves once nothing waits or runs any more. */
  drain(): Promise<void>
}

export interface GroupCommitOptions<Transaction> {
  /** Runs the work in one transaction: committed when it resolves, undone when it rejects. */
  readonly transact: <Result>(work: (transaction: Transaction) => Promise<Result>) => Promise<Result>
  /** Writes that may wait: what a slow disk may hold back in memory. */
  readonly queueLengthMax: number
  /** Writes in one transaction: how long the event loop is held. */
  readonly groupLengthMax: number
}

/**
 * Shares the cost of a commit (one fsync): writes that arrive in one turn of the event loop, or while a transaction
 * runs, share the next one, in order of arrival. When a shared transaction fails, each of its writes is done again in
 * one of its own, so that only the culprit is rejected.
 */
export function createGroupCommit<Transaction>(options: GroupCommitOptions<Transaction>): GroupCommit<Transaction> {
  const { transact, queueLengthMax, groupLengthMax } = options
  const queue: Waiting<Transaction>[] = []
  let pumping: Promise<void> | undefined

  const pump = async (): Promise<void> => {
    while (queue.length > 0) {
      await nextTurn()
      await commit(queue.splice(0, groupLengthMax))
    }
    pumping = undefined
  }

  const commit = async (group: readonly Waiting<Transaction>[]): Promise<void> => {
    try {
      const settle = await transact(async (transaction) => {
        const settlements: (() => void)[] = []
        for (const waiting of group) settlements.push(await waiting.perform(transaction))
        return settlements
      })
      for (const settled of settle) settled()
    } catch (error) {
      if (group.length === 1) group[0]?.reject(error)
      else for (const waiting of group) await commit([waiting])
    }
  }

  return {
    submit: (write) =>
      new Promise((resolve, reject) => {
        if (queue.length >= queueLengthMax) {
          reject(new StoreFullError(`${queueLengthMax} writes are waiting for the disk; ask again later`))
          return
        }
        queue.push({
          // Nobody is told before the commit: a refusal may rest on a write of the same transaction that is undone.
          perform: async (transaction) => {
            try {
              await write.admit?.(transaction)
            } catch (refusal) {
              return () => reject(refusal)
            }
            const result = await write.apply(transaction)
            return () => resolve(result)
          },
          reject,
        })
        pumping ??= pump()
      }),
    drain: async () => {
      while (pumping !== undefined) await pumping
    },
  }
}

interface Waiting<Transaction> {
  /** @returns what tells the caller, once the transaction is committed. */
  perform(transaction: Transaction): Promise<() => void>
  reject(error: unknown): void
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
