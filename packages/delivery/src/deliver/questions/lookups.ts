import { type Clock, onAbort } from '@sluice/core'
import { LRUCache } from '#inlined/lru-cache'
import type { TransportResult } from '../../transport/transport.ts'

/** A value that other requests need, such as a token. */
export interface Lookup<Value extends object> {
  /** Identifies the value: lookups with the same key share it. */
  readonly key: string
  /** Requests the value, within a time limit of its own. @param previous the value that has expired. */
  ask(previous?: Value): Promise<LookupAnswer<Value>>
}

export type LookupAnswer<Value> =
  | {
      readonly ok: true
      readonly value: Value
      /** Milliseconds. Without it, the value is used until it is expired. */
      readonly lifetimeMs?: number
    }
  | LookupFailure

/** The failed request for a value. */
export interface LookupFailure {
  readonly ok: false
  readonly result: TransportResult
}

export type LookupResult<Value> = { readonly ok: true; readonly value: Value } | LookupFailure

/** Requests each value once for all callers and caches it for its lifetime. */
export interface Lookups<Value extends object> {
  /** Returns a cached value that has not expired. */
  known(key: string): Value | undefined
  /** @throws the abort reason once `signal` is aborted; the request continues for other callers. */
  get(lookup: Lookup<Value>, signal: AbortSignal): Promise<LookupResult<Value>>
  /** Drops all values. @returns whether there were any. */
  clear(): boolean
  /** Drops a value that turned out to be wrong, unless it was already replaced. */
  expire(key: string, value: Value): void
}

export interface LookupsOptions {
  readonly clock: Clock
  /** Maximum of cached values; the least recently used are evicted. Default 1,000. */
  readonly entriesMax?: number
}

/** Most characters of all values together, as JSON. */
const charactersMax = 64_000_000

export function createLookups<Value extends object>({ clock, entriesMax = 1_000 }: LookupsOptions): Lookups<Value> {
  const known = new LRUCache<string, { readonly value: Value; readonly until: number }>({
    max: entriesMax,
    maxSize: charactersMax,
    sizeCalculation: ({ value }) => JSON.stringify(value).length,
  })
  const asking = new Map<string, Promise<LookupResult<Value>>>()

  async function ask({ key, ask }: Lookup<Value>): Promise<LookupResult<Value>> {
    const answer = await ask(known.get(key)?.value)
    if (!answer.ok) return answer
    const { value, lifetimeMs = Number.POSITIVE_INFINITY } = answer
    if (lifetimeMs > 0) known.set(key, { value, until: clock.now() + lifetimeMs })
    return { ok: true, value }
  }

  function fresh(key: string): Value | undefined {
    const found = known.get(key)
    return found && clock.now() < found.until ? found.value : undefined
  }

  return {
    known: fresh,
    async get(lookup, signal) {
      signal.throwIfAborted()
      const { key } = lookup
      const value = fresh(key)
      if (value !== undefined) return { ok: true, value }
      const answer = asking.get(key) ?? ask(lookup).finally(() => asking.delete(key))
      asking.set(key, answer)
      return await unlessAborted(answer, signal)
    },
    clear() {
      const hadValues = known.size > 0
      known.clear()
      return hadValues
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
