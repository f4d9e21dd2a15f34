/** Runs the work of each key one call after the other, in the order of the calls. */
export interface Turns {
  /** @returns undefined, without running the work, when too much work waits for the key. */
  take<T>(key: string, work: () => Promise<T>): Promise<T | undefined>
}

/** @param waitingMax most calls waiting or running per key. */
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
