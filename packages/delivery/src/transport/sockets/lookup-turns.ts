import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { FairTurns } from '@sluice/core/fair-turns'

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
  const turns = new FairTurns({ turnsMax: lookupsMax, turnsPerOwnerMax: lookupsPerOwnerMax, waitingPerOwnerMax })
  return {
    of: (owner) => (hostname, options, callback) => {
      const waits = turns.take(owner, (end) =>
        lookup(hostname, options, (...answer) => {
          end()
          callback(...answer)
        }),
      )
      if (!waits) callback(tooManyLookups(), '')
    },
  }
}

function tooManyLookups(): NodeJS.ErrnoException {
  return Object.assign(new Error('too many names wait to be looked up'), { code: 'ELOOKUPSMAX' })
}
