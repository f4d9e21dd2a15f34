import { type Clock, onAbort } from '@sluice/core'
import type { DeliveryRequest } from '@sluice/destinations'
import { LRUCache } from 'lru-cache'
import type { Reply, Transport, TransportResult } from '../transport/transport.ts'

/** Something to be asked of a destination before a request can be sent. */
export interface Lookup<Value extends object> {
  /** What is the same for everybody who asks the same. */
  readonly key: string
  /** @param previous what was known before it expired. */
  request(previous?: Value): DeliveryRequest
  /** @returns undefined when the reply, a success, does not say it. */
  read(reply: Reply): { readonly value: Value; readonly lifetimeMs?: number } | undefined
}

export type LookupResult<Value> =
  | { readonly ok: true; readonly value: Value }
  /** What came instead, as of a request of one's own. */
  | { readonly ok: false; readonly result: TransportResult }

/** Asks once for all who want to know the same, and remembers the answer as long as it holds. */
export interface Lookups<Value extends object> {
  /** @throws the abort reason once `signal` is aborted; what is under way goes on for the others. */
  get(lookup: Lookup<Value>, signal: AbortSignal): Promise<LookupResult<Value>>
  /** The value turned out to be wrong: it is asked for anew, unless that was done since. */
  expire(key: string, value: Value): void
}

export interface LookupsOptions {
  readonly transport: Transport
  readonly clock: Clock
  /** For one request. */
  readonly timeMs: number
  /** Answers that are remembered; the least recently used go first. Default 1,000. */
  readonly entriesMax?: number
}

export function createLookups<Value extends object>(options: LookupsOptions): Lookups<Value> {
  const { transport, clock, timeMs, entriesMax = 1_000 } = options
  const known = new LRUCache<string, { readonly value: Value; readonly until: number }>({ max: entriesMax })
  const asking = new Map<string, Promise<LookupResult<Value>>>()

  async function ask({ key, request, read }: Lookup<Value>): Promise<LookupResult<Value>> {
    // Not the signal of who asked first: others wait for the answer too, and it is bounded by its time.
    const result = await transport.send(request(known.get(key)?.value), {
      signal: new AbortController().signal,
      timeMs,
    })
    if (result.kind !== 'reply' || result.status < 200 || result.status > 299) return { ok: false, result }
    const answer = read(result)
    if (answer === undefined) return { ok: false, result }
    const { value, lifetimeMs = Number.POSITIVE_INFINITY } = answer
    known.set(key, { value, until: clock.now() + lifetimeMs })
    return { ok: true, value }
  }

  return {
    async get(lookup, signal) {
      signal.throwIfAborted()
      const { key } = lookup
      const found = known.get(key)
      if (found && clock.now() < found.until) return { ok: true, value: found.value }
      const answer = asking.get(key) ?? ask(lookup).finally(() => asking.delete(key))
      asking.set(key, answer)
      return await unlessAborted(answer, signal)
    },
    expire(key, value) {
      const found = known.get(key)
      if (found?.value === value) known.set(key, { value, until: 0 })
    },
  }
}

/** What `answer` comes to, unless nobody waits for it any more. */
function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const unwatch = onAbort(signal, reject)
    answer.then(resolve, reject).finally(unwatch)
  })
}
