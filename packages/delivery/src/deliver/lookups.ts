import { type Clock, onAbort } from '@sluice/core'
import type { DeliveryRequest } from '@sluice/destinations'
import { LRUCache } from 'lru-cache'
import type { Reply, Transport, TransportResult } from '../transport/transport.ts'

/** A value to be requested before other requests can be sent, such as a token. */
export interface Lookup<Value extends object> {
  /** Identifies the value: lookups with the same key share it. */
  readonly key: string
  /** @param previous the value that has expired. */
  request(previous?: Value): DeliveryRequest
  /** Reads a reply with a success status. @returns undefined when it does not contain the value. */
  read(reply: Reply): { readonly value: Value; readonly lifetimeMs?: number } | undefined
}

export type LookupResult<Value> =
  | { readonly ok: true; readonly value: Value }
  /** The failed request for the value. */
  | { readonly ok: false; readonly result: TransportResult }

/** Requests each value once for all callers and caches it for its lifetime. */
export interface Lookups<Value extends object> {
  /** @throws the abort reason once `signal` is aborted; the request continues for other callers. */
  get(lookup: Lookup<Value>, signal: AbortSignal): Promise<LookupResult<Value>>
  /** Drops a value that turned out to be wrong, unless it was already replaced. */
  expire(key: string, value: Value): void
}

export interface LookupsOptions {
  readonly transport: Transport
  readonly clock: Clock
  /** Time limit of one request in milliseconds. */
  readonly timeMs: number
  /** Maximum of cached values; the least recently used are evicted. Default 1,000. */
  readonly entriesMax?: number
}

export function createLookups<Value extends object>(options: LookupsOptions): Lookups<Value> {
  const { transport, clock, timeMs, entriesMax = 1_000 } = options
  const known = new LRUCache<string, { readonly value: Value; readonly until: number }>({ max: entriesMax })
  const asking = new Map<string, Promise<LookupResult<Value>>>()

  async function ask({ key, request, read }: Lookup<Value>): Promise<LookupResult<Value>> {
    // Not the signal of the first caller: others wait for the reply too. The time limit bounds it.
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

/** Resolves like `answer`; rejects with the abort reason once `signal` aborts. */
function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const unwatch = onAbort(signal, reject)
    answer.then(resolve, reject).finally(unwatch)
  })
}
