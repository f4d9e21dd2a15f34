/** Runs work with the same key one after the other. */
export interface Turns {
  take<Result>(key: string, work: () => Promise<Result>): Promise<Result>
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>()
  return {
    async take(key, work) {
      const mine = (last.get(key) ?? Promise.resolve()).then(work)
      const over = mine.then(
        () => {},
        () => {},
      )
      last.set(key, over)
      try {
        return await mine
      } finally {
        if (last.get(key) === over) last.delete(key)
      }
    },
  }
}
