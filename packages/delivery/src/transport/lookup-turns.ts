import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { FairQueue } from '@sluice/core'

/**
 * Maximum of concurrent lookups. The system's resolver occupies a thread of libuv's pool (four by default, see
 * UV_THREADPOOL_SIZE) until a name server answers or about ten seconds have passed. Files and gzip need that pool too.
 */
const lookupsMax = 3
/** Maximum per owner: names whose server never answers must not block other owners. */
const lookupsPerOwnerMax = 1

/** Maximum of waiting lookups per owner: names whose server never answers are looked up again and again. */
const waitingPerOwnerMax = 256

/** Runs lookups of owners (workspaces) in fair turns. */
export interface LookupTurns {
  /** Returns the lookup function of one owner. */
  of(owner: string): LookupFunction
}

let ofSystem: LookupTurns | undefined

/** Returns the turns of all who use the system's resolver: its threads are those of the process. */
export function systemLookupTurns(): LookupTurns {
  ofSystem ??= createLookupTurns(systemLookup as LookupFunction)
  return ofSystem
}

export function createLookupTurns(lookup: LookupFunction): LookupTurns {
  const queue = new FairQueue<() => void>()
  const underWay = new Map<string, number>()
  const waiting = new Map<string, number>()
  let running = 0

  function startNext(): void {
    if (running >= lookupsMax) return
    const owner = queue.owners().find((each) => (underWay.get(each) ?? 0) < lookupsPerOwnerMax)
    if (owner === undefined) return
    count(waiting, owner, -1)
    queue.take(owner)?.()
    startNext()
  }

  return {
    of: (owner) => (hostname, options, callback) => {
      if ((waiting.get(owner) ?? 0) >= waitingPerOwnerMax) return callback(tooManyLookups(), '')
      count(waiting, owner, 1)
      queue.push(owner, () => {
        running += 1
        count(underWay, owner, 1)
        const startedAt = performance.now()
        lookup(hostname, options, (...answer) => {
          running -= 1
          count(underWay, owner, -1)
          queue.charge(owner, performance.now() - startedAt)
          startNext()
          callback(...answer)
        })
      })
      startNext()
    },
  }
}

function count(counts: Map<string, number>, owner: string, change: number): void {
  const next = (counts.get(owner) ?? 0) + change
  if (next > 0) counts.set(owner, next)
  else counts.delete(owner)
}

function tooManyLookups(): NodeJS.ErrnoException {
  return Object.assign(new Error('too many names wait to be looked up'), { code: 'ELOOKUPSMAX' })
}
