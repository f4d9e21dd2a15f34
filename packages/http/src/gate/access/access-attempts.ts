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
  readonly clock: Clock
  /** Returns the address of a client. Default: the peer of the connection. Behind a proxy, use `clientIpFromHeader`. */
  clientIp?(request: Request, env: unknown): string
  /** Called at failed attempt 1, 2, 4, 8 and so on of an address. */
  onWrong?(wrong: WrongAccess): void
}

export type Attempt<Entered> =
  | { readonly ok: true; readonly entered: Entered }
  /** Credentials are absent or wrong. With `retryAfterSeconds`, there were too many wrong ones before. */
  | { readonly ok: false; readonly retryAfterSeconds?: number }

/** Slows down the guessing of passwords and tokens. Share one among all areas of a process. */
export interface AccessAttempts {
  /**
   * Compares the credentials of a request, and delays the answer when they are wrong as too many were before.
   *
   * @param compare checks the credentials; returns undefined when they are wrong.
   * @param given the credentials; default the header `Authorization`.
   */
  enter<Entered>(
    context: Context,
    user: string,
    compare: () => Entered | undefined,
    given?: string,
  ): Promise<Attempt<Entered>>
}

/** Failed attempts before the first wait: people mistype, and deployments use old tokens. */
const freeFailures = 10
/** Failed attempts of one prefix from all addresses, before those of each address are no longer free. */
const prefixFailuresMax = 100
/** Characters of a token by which its guesses are counted: too few to be of use, and those of `Bearer` are among them. */
const prefixLength = 12
/** What `Retry-After` says after the free failures. */
const waits: Backoff = { baseMs: 1_000, capMs: 60_000 }
/** How long a wrong answer is delayed. It is short, because it holds a connection. */
const delays: Backoff = { baseMs: 50, capMs: 1_000 }
/** Answers that are delayed at a time. Further ones are sent at once. */
const delayedMax = 256
const forgottenAfterMs = 15 * 60_000
/** Both caches evict the least recently used entry. They take at most 3 MB. */
const addressesMax = 10_000
const prefixesMax = 1_000

interface Failures {
  count: number
  lastAt: number
}

/**
 * Counts wrong credentials by address (for IPv6 by /64 network), and by prefix: the user name, or the first characters of a
 * token. Those after the tenth of an address, or the hundredth of a prefix, are answered later and later, with the time
 * after which to try again.
 *
 * Correct credentials are never delayed or refused: callers that share an address or a user name with a guesser, as all
 * clients behind a proxy do, must not be shut out by it. So guessing is slow for one connection and visible in the log,
 * but what keeps a secret is its length. Callers without a known address are not delayed.
 */
export function createAccessAttempts({ clock, clientIp, onWrong }: AccessAttemptsOptions): AccessAttempts {
  const addresses = new LRUCache<string, Failures>({ max: addressesMax })
  const prefixes = new LRUCache<string, Failures>({ max: prefixesMax })
  let delayed = 0

  const countFailure = (counts: LRUCache<string, Failures>, key: string, now: number): number => {
    const failures = counts.get(key) ?? { count: 0, lastAt: 0 }
    counts.set(key, failures)
    failures.count = Math.abs(now - failures.lastAt) > forgottenAfterMs ? 1 : failures.count + 1
    failures.lastAt = now
    return failures.count
  }
  const delay = async (failures: number, signal: AbortSignal): Promise<void> => {
    if (delayed >= delayedMax) return
    delayed += 1
    await clock.sleep(doublingMs(failures, delays), signal)
    delayed -= 1
  }

  return {
    enter: async (context, user, compare, header = context.req.header('authorization')) => {
      if (header === undefined) return { ok: false }
      const entered = compare()
      if (entered !== undefined) return { ok: true, entered }
      const address = networkOf(clientIp ? clientIp(context.req.raw, context.env) : peerAddress(context.env))
      if (address === '') return { ok: false }
      const now = clock.now()
      const ofPrefix = countFailure(prefixes, shortHash(user || header.slice(0, prefixLength)), now)
      const ofAddress = countFailure(addresses, address, now)
      if (Number.isInteger(Math.log2(ofAddress))) onWrong?.({ address, failures: ofAddress })
      const tooMany = Math.max(ofAddress - freeFailures, ofPrefix - prefixFailuresMax)
      if (tooMany <= 0) return { ok: false }
      await delay(tooMany, context.req.raw.signal)
      return { ok: false, retryAfterSeconds: doublingMs(tooMany, waits) / 1_000 }
    },
  }
}

/** Has fewer bytes than what is given, and does not show it. */
const shortHash = (text: string): string => createHash('sha256').update(text).digest('base64').slice(0, 22)
