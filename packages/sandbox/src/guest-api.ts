import type { JsonObject, JsonValue } from '@sluice/core'

/** Context of a run, beside its events. */
export interface RunContext {
  /** Values by key, for host functions that return them. Not visible to the guest otherwise. */
  readonly credentials?: JsonObject
}

/** Context of an async host call. */
export interface HostCallContext extends RunContext {
  /**
   * Aborts when the batch of the call ends or is interrupted; a later result is ignored. All calls of a batch share
   * this signal, and no other batch has it.
   */
  readonly signal: AbortSignal
}

/**
 * A synchronous host function. What it throws reaches the guest as an Error with the same name and message, without the
 * host's stack.
 */
export type SyncHostCall = (args: readonly JsonValue[], context: RunContext) => JsonValue

/** An asynchronous host function. A rejection reaches the guest like an error of a `SyncHostCall`. */
export type AsyncHostCall = (args: readonly JsonValue[], context: HostCallContext) => Promise<JsonValue>

/**
 * What user code may use beyond the language, `log`, `console` and `metadata`.
 *
 * Two functions of the guest call the host: `callHost(name, ...args)` returns the result of a sync call,
 * `callHostLater(name, ...args)` a promise of the result of an async one. Arguments and results cross as JSON values
 * (undefined as null). The two are globals only while `globals` and then `modules` run, before any user code. These
 * texts must save them at their top (`const call = callHost`), and also every built-in they use later, because user
 * code may overwrite built-ins. A call costs 3-5 µs, so calls should pass whole values.
 */
export interface GuestApi {
  /**
   * ES module source by import specifier (`@sluice/hash`). Modules may import each other. They are evaluated once, when
   * the engine is prepared, must not use top-level await, and must not depend on time, randomness or a batch at that
   * point.
   */
  readonly modules: Readonly<Record<string, string>>
  /** A script (sloppy mode, global scope; wrap it in a function) that installs globals on `globalThis`. '' for none. */
  readonly globals: string
  /** Host functions by name. Only own properties count. */
  readonly syncCalls: Readonly<Record<string, SyncHostCall>>
  readonly asyncCalls: Readonly<Record<string, AsyncHostCall>>
}

/** An empty API. */
export const noGuestApi: GuestApi = { modules: {}, globals: '', syncCalls: {}, asyncCalls: {} }
