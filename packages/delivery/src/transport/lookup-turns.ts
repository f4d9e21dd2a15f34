import type { LookupFunction } from 'node:net'
import { FairQueue } from '@sluice/core'

/**
 * Host names that are looked up at a time. The system's resolver holds a thread of libuv's pool (four, unless
 * UV_THREADPOOL_SIZE says otherwise) until a name server answers or some ten seconds have passed; files and gzip need
 * the pool, too.
 */
const lookupsMax = 3
/** One owner's: names whose server never answers must not hold the places of others. */
const lookupsPerOwnerMax = 1

/** Gives the lookups of owners (workspaces) their turns. */
export interface LookupTurns {
  /** The lookup of one owner. */
  of(owner: string): LookupFunction
}

export function createLookupTurns(lookup: LookupFunction): LookupTurns {
  const queue = new FairQueue<() => void>()
  const underWay = new Map<string, number>()
  let running = 0

  function startNext(): void {
    if (running >= lookupsMax) return
    const owner = queue.owners().find((each) => (underWay.get(each) ?? 0) < lookupsPerOwnerMax)
    if (owner === undefined) return
    queue.take(owner)?.()
    startNext()
  }

  return {
    of: (owner) => (hostname, options, callback) => {
      queue.push(owner, () => {
        running += 1
        underWay.set(owner, (underWay.get(owner) ?? 0) + 1)
        const startedAt = performance.now()
        lookup(hostname, options, (...answer) => {
          running -= 1
          const left = (underWay.get(owner) ?? 0) - 1
          if (left > 0) underWay.set(owner, left)
          else underWay.delete(owner)
          queue.charge(owner, performance.now() - startedAt)
          startNext()
          callback(...answer)
        })
      })
      startNext()
    },
  }
}
