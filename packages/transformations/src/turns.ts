/** Lets one piece of work after the other be done per key, in the order of the calls. */
export interface Turns {
  /** @returns undefined when too many wait for the key already; the work is not done then. */
  take<T>(key: string, work: () => Promise<T>): Promise<T | undefined>
}

/** @param waitingMax how many may wait or run per key. */
export function createTurns(waitingMax: number): Turns {
  const lasts = new Map<string, { promise: Promise<unknown>; count: number }>()
  return {
    async take(key, work) {
      const line = lasts.get(key) ?? { promise: Promise.resolve(), count: 0 }
      if (line.count >= waitingMax) return undefined
      lasts.set(key, line)
      line.count += 1
      const mine = line.promise.then(work)
      line.promise = mine.catch(() => {})
      try {
        return await mine
      } finally {
        line.count -= 1
        if (line.count === 0) lasts.delete(key)
      }
    },
  }
}
