import { FairQueue, StoreFullError } from '@sluice/core'

/** A write that shares its transaction with others. Both functions can run twice: see `createGroupCommit`. */
export interface Write<Transaction, Result> {
  /** The workspace that the write is for. Writes of one owner keep their order; owners share the time fairly. */
  readonly owner?: string
  /** Checks whether the write is allowed, and changes nothing. A throw rejects only this write. */
  readonly admit?: (transaction: Transaction) => Promise<void>
  readonly apply: (transaction: Transaction) => Promise<Result>
}

interface GroupCommit<Transaction> {
  /**
   * Resolves when the transaction with the write is committed.
   * @throws StoreFullError when `queueLengthMax` writes are already waiting.
   */
  submit<Result>(write: Write<Transaction, Result>): Promise<Result>
  /** Resolves when no write waits or runs. */
  drain(): Promise<void>
}

interface GroupCommitOptions<Transaction> {
  /**
   * Runs the work in one transaction: committed when it resolves, undone when it rejects. It may run the work again when the
   * transaction was undone.
   */
  readonly transact: <Result>(work: (transaction: Transaction) => Promise<Result>) => Promise<Result>
  /** Returns whether a shared transaction failed because of one of its writes. */
  readonly isOfOneWrite: (error: unknown) => boolean
  /** Largest number of waiting writes, which a slow disk holds in memory. */
  readonly queueLengthMax: number
  /** Largest number of writes in one transaction, which blocks the event loop. */
  readonly groupLengthMax: number
  /** Milliseconds after which a transaction takes no further write. */
  readonly groupMsMax: number
}

/**
 * Shares the cost of a commit (one fsync). Writes that arrive in one turn of the event loop, or while a transaction
 * runs, share the next transaction. Each write is the next one of the owner that has used the least time, so that an
 * owner with many writes delays another one by a transaction at most. When a shared transaction fails because of one of them,
 * each write is repeated in its own transaction, so that only the faulty one is rejected; after any other failure, such as a
 * time-out, all are rejected, because each would wait for as long. When a transaction cannot begin, all writes that wait are
 * rejected.
 */
export function createGroupCommit<Transaction>(options: GroupCommitOptions<Transaction>): GroupCommit<Transaction> {
  const { transact, isOfOneWrite, queueLengthMax, groupLengthMax, groupMsMax } = options
  const queue = new FairQueue<Waiting<Transaction>>()
  let pumping: Promise<void> | undefined

  const pump = async (): Promise<void> => {
    while (queue.length > 0) {
      await nextTurn()
      await commitNext()
    }
    pumping = undefined
  }

  /** Takes writes from the queue into one transaction, until it has lasted for `groupMsMax`. */
  const commitNext = async (): Promise<void> => {
    const group: Waiting<Transaction>[] = []
    try {
      const answers = await transact(async (transaction) => {
        const answers: (() => void)[] = []
        // Run again, it has the same writes.
        for (const waiting of group) answers.push(await waiting.perform(transaction))
        const startedAt = performance.now()
        // What arrives meanwhile waits for the next transaction.
        const lengthMax = group.length > 0 ? 0 : Math.min(queue.length, groupLengthMax)
        for (let now = startedAt; group.length < lengthMax && now - startedAt < groupMsMax; ) {
          const next = queue.shift()
          if (next === undefined) break
          group.push(next)
          answers.push(await next.perform(transaction))
          const ended = performance.now()
          queue.charge(next.owner, ended - now)
          now = ended
        }
        return answers
      })
      for (const answer of answers) answer()
    } catch (error) {
      // The transaction could not even begin: then it would not for a part of the writes either.
      if (group.length === 0) for (let next = queue.shift(); next; next = queue.shift()) next.reject(error)
      else if (group.length === 1 || !isOfOneWrite(error)) for (const waiting of group) waiting.reject(error)
      else for (const waiting of group) await commitAlone(waiting)
    }
  }

  const commitAlone = async (waiting: Waiting<Transaction>): Promise<void> => {
    try {
      const answer = await transact((transaction) => waiting.perform(transaction))
      answer()
    } catch (error) {
      waiting.reject(error)
    }
  }

  return {
    submit: (write) =>
      new Promise((resolve, reject) => {
        if (queue.length >= queueLengthMax) {
          reject(new StoreFullError(`${queueLengthMax} writes are waiting for the disk; try again later`))
          return
        }
        const owner = write.owner ?? ''
        queue.push(owner, {
          owner,
          // Also a refusal is answered after the commit: it may depend on an earlier write that is rolled back.
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
  readonly owner: string
  /** @returns the function that answers the caller, to be called after the commit. */
  perform(transaction: Transaction): Promise<() => void>
  reject(error: unknown): void
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
