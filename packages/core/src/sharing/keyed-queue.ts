/** Runs the work of each key one call after the other, in the order of the calls. */
export interface KeyedQueue {
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result>
  /** Returns whether a key has `callsMax` calls or more. `run` accepts further ones; the caller should refuse them. */
  isFull(key: string): boolean
}

/**
 * @param callsMax most calls waiting or running per key.
 * @example
 * ```ts
 * import { createKeyedQueue } from '@sluice/core'
 *
 * const queue = createKeyedQueue()
 * const order: string[] = []
 * await Promise.all([queue.run('user 1', async () => order.push('first')), queue.run('user 1', async () => order.push('second'))])
 * console.log(order) // [ 'first', 'second' ]
 * ```
 */
export function createKeyedQueue(callsMax = Number.POSITIVE_INFINITY): KeyedQueue {
  const queues = new Map<string, { last: Promise<unknown>; calls: number }>()
  return {
    async run(key, work) {
      const queue = queues.get(key) ?? { last: Promise.resolve(), calls: 0 }
      queues.set(key, queue)
      queue.calls += 1
      const mine = queue.last.then(work)
      queue.last = mine.catch(() => {})
      try {
        return await mine
      } finally {
        queue.calls -= 1
        if (queue.calls === 0) queues.delete(key)
      }
    },
    isFull: (key) => (queues.get(key)?.calls ?? 0) >= callsMax,
  }
}
