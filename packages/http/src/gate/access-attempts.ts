import { createHash } from 'node:crypto'
import { type Backoff, type Clock, doublingMs, networkOf } from '@sluice/core'
import type { Context } from 'hono'
import { LRUCache } from '#inlined/lru-cache'
import { peerAddress } from './client-ip.ts'

/** Report of failed authentication. Never contains the credentials. */
export interface WrongAccess {
  readonly address: string
  /** Failed attempts from this address, each within 15 minutes of the previous one. */
  readonly failures: number
}

export interface AccessAttemptsOptions {
  readonly clock: Pick<Clock, 'now'>
  /** Returns the address of a client. Default: the peer of the connection. Behind a proxy, use `clientIpFromHeader`. */
  clientIp?(request: Request, env: unknown): string
  /** Called at failed attempt 1, 2, 4, 8 and so on of an address. */
  onWrong?(wrong: WrongAccess): void
}

export type Attempt<Entered> =
  | { readonly ok: true; readonly entered: Entered }
  /** Credentials are absent or wrong. With `retryAfterSeconds`, the address is blocked and nothing was compared. */
  | { readonly ok: false; readonly retryAfterSeconds?: number }

/** Slows down the guessing of passwords and tokens. Share one among all areas of a process. */
export interface AccessAttempts {
  /**
   * @param compare checks the credentials; returns undefined when they are wrong.
   * @param given the credentials; default the header `Authorization`.
   */
  enter<Entered>(context: Context, user: string, compare: () => Entered | undefined, given?: string): Attempt<Entered>
}

/** Failed attempts before the first wait: people mistype, and deployments use old tokens. */
const freeFailures = 10
/** Replaces `freeFailures` for a user name with more than `nameFailuresMax` failures from all addresses together. */
const freeFailuresOfGuessedName = 2
const nameFailuresMax = 100
/** Waits after the free failures. */
const waits: Backoff = { baseMs: 1_000, capMs: 60_000 }
const forgottenAfterMs = 15 * 60_000
/** Both caches evict the least recently used entry. They take at most 25 MB, usually less than 3 MB. */
const addressesMax = 10_000
const namesMax = 1_000
/** Known good credentials remembered per address. They keep working while their address is blocked. */
const knownMax = 256

interface Failures {
  count: number
  lastAt: number
}

interface Caller extends Failures {
  waitsUntil: number
  /** Hashes of headers that authenticated, most recently used first. They are accepted while the address is blocked. */
  readonly known: number[]
}

/**
 * Counts wrong credentials by address (for IPv6 by /64 network) and by user name. An address with too many failures is
 * blocked for longer and longer. While it is blocked, no credentials from it are compared, except the last 256 that
 * worked from there before. Other addresses are never blocked: when many addresses guess one user name, each of them
 * only gets fewer free attempts. Callers without a known address are not limited.
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
    if (count >= free) caller.waitsUntil = now + doublingMs(count - free + 1, waits)
    if (Number.isInteger(Math.log2(count))) onWrong?.({ address, failures: count })
  }

  return {
    enter: (context, user, compare, header = context.req.header('authorization')) => {
      if (header === undefined) return { ok: false }
      const address = networkOf(clientIp ? clientIp(context.req.raw, context.env) : peerAddress(context.env))
      if (address === '') {
        const entered = compare()
        return entered === undefined ? { ok: false } : { ok: true, entered }
      }
      const caller = callers.get(address)
      const waitMs = caller === undefined ? 0 : caller.waitsUntil - clock.now()
      // If the clock was set back, ignore a wait that is longer than the maximum.
      const mustWait = waitMs > 0 && waitMs <= waits.capMs
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

/** Short to save memory. A collision does no harm: the credentials are still compared. */
const smallHash = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE() >>> 2

const shortHash = (text: string): string => createHash('sha256').update(text).digest('base64').slice(0, 22)
