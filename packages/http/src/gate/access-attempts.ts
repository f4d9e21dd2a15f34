import { createHash } from 'node:crypto'
import { type Clock, parseIp } from '@sluice/core'
import type { Context } from 'hono'
import { LRUCache } from 'lru-cache'
import { peerAddress } from './client-ip.ts'

/** What is reported of wrong credentials; never the credentials. */
export interface WrongAccess {
  readonly address: string
  /** Wrong ones from there within a quarter of an hour. */
  readonly failures: number
}

export interface AccessAttemptsOptions {
  readonly clock: Pick<Clock, 'now'>
  /** The address of a client; default the peer of the connection. Behind a proxy, read what the proxy adds. */
  clientIp?(request: Request, env: unknown): string
  /** Called at the first wrong attempt of an address, the second, the fourth, and so on. */
  onWrong?(wrong: WrongAccess): void
}

export type Attempt<Entered> =
  | { readonly ok: true; readonly entered: Entered }
  /** Credentials are absent, wrong, or not even compared: then only after so many seconds. */
  | { readonly ok: false; readonly retryAfterSeconds?: number }

/** Slows down the guessing of passwords and tokens. All areas of a process share one. */
export interface AccessAttempts {
  /** @param compare what the header opens; undefined when it opens nothing. */
  enter<Entered>(context: Context, user: string, compare: () => Entered | undefined): Attempt<Entered>
}

/** A person mistypes, a deployment has an old token. */
const freeFailures = 10
/** While many addresses guess the same user name, each of them has fewer. */
const freeFailuresOfGuessedName = 2
const nameFailuresMax = 100
/** After the free ones, doubling. */
const firstWaitMs = 1_000
const longestWaitMs = 60_000
const forgottenAfterMs = 15 * 60_000
/** What is remembered, at most 25 MB and usually less than 3; the least recently used goes first. */
const addressesMax = 10_000
const namesMax = 1_000
/** Right credentials that are remembered of each address: so many callers behind one address are let in while it guesses. */
const knownMax = 256

interface Failures {
  count: number
  lastAt: number
}

interface Caller extends Failures {
  waitsUntil: number
  /** Hashes of headers that were right, the last used first: those that share an address with a guesser are let in. */
  readonly known: number[]
}

/**
 * Counts wrong credentials by address (of IPv6 by network) and by user name. An address with too many waits longer and longer,
 * and nothing it sends is compared meanwhile, except the credentials that were right from there before, the last 256. Other addresses are
 * never shut out by it: a user name that is guessed from many only shortens their patience. A caller whose address is not
 * known is not limited.
 */
export function createAccessAttempts({ clock, clientIp, onWrong }: AccessAttemptsOptions): AccessAttempts {
  const callers = new LRUCache<string, Caller>({ max: addressesMax })
  const names = new LRUCache<string, Failures>({ max: namesMax })

  const callerOf = (address: string): Caller => {
    const found = callers.get(address) ?? { count: 0, lastAt: 0, waitsUntil: 0, known: [] }
    callers.set(address, found)
    return found
  }
  const countFailure = (failures: Failures, now: number): number => {
    failures.count = Math.abs(now - failures.lastAt) > forgottenAfterMs ? 1 : failures.count + 1
    failures.lastAt = now
    return failures.count
  }
  const failed = (address: string, caller: Caller, user: string): void => {
    const now = clock.now()
    const name = shortHash(user)
    const ofName = names.get(name) ?? { count: 0, lastAt: 0 }
    names.set(name, ofName)
    const free = user !== '' && countFailure(ofName, now) > nameFailuresMax ? freeFailuresOfGuessedName : freeFailures
    const count = countFailure(caller, now)
    if (count >= free) caller.waitsUntil = now + Math.min(longestWaitMs, firstWaitMs * 2 ** (count - free))
    if (Number.isInteger(Math.log2(count))) onWrong?.({ address, failures: count })
  }

  return {
    enter: (context, user, compare) => {
      const header = context.req.header('authorization')
      if (header === undefined) return { ok: false }
      const address = networkOf(clientIp ? clientIp(context.req.raw, context.env) : peerAddress(context.env))
      if (address === '') {
        const entered = compare()
        return entered === undefined ? { ok: false } : { ok: true, entered }
      }
      const caller = callers.get(address)
      const waitMs = caller === undefined ? 0 : caller.waitsUntil - clock.now()
      // A clock that was set back must not make anyone wait for longer than the longest wait.
      const mustWait = waitMs > 0 && waitMs <= longestWaitMs
      const hash = smallHash(header)
      if (mustWait && !caller?.known.includes(hash)) return { ok: false, retryAfterSeconds: Math.ceil(waitMs / 1_000) }
      const entered = compare()
      if (entered === undefined) {
        failed(address, callerOf(address), user)
        return { ok: false }
      }
      remember(callerOf(address).known, hash)
      return { ok: true, entered }
    },
  }
}

function remember(known: number[], hash: number): void {
  const index = known.indexOf(hash)
  if (index === 0) return
  if (index > 0) known.splice(index, 1)
  known.unshift(hash)
  if (known.length > knownMax) known.pop()
}

/** Small in memory. One that is met by chance opens nothing: what is sent is still compared. */
const smallHash = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE() >>> 2

const shortHash = (text: string): string => createHash('sha256').update(text).digest('base64').slice(0, 22)

/** One customer has a whole /64 of IPv6. */
function networkOf(address: string): string {
  const parsed = parseIp(address)
  return parsed?.bits === 128 ? `${(parsed.value >> 64n).toString(16)}::/64` : address
}
