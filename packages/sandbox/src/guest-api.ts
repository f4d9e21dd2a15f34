import type { JsonObject, JsonValue } from '@sluice/core'

/** What one run brings beside its events. */
export interface RunContext {
  /** Values by key, for host functions that give them out; the guest sees nothing of them by itself. */
  readonly credentials?: JsonObject
}

/** What an async host call is told beside its arguments. */
export interface HostCallContext extends RunContext {
  /**
   * Aborts when the batch that made the call ends or is broken off; an answer that is not there by then is ignored. All
   * calls of a batch have the same signal, and no other batch has it.
   */
  readonly signal: AbortSignal
}

/** A host function that answers at once. What it throws reaches the guest as an Error with the same name and message, without the host's stack. */
export type SyncHostCall = (args: readonly JsonValue[], context: RunContext) => JsonValue

/** A host function that answers later. Rejections reach the guest as `SyncHostCall` says. */
export type AsyncHostCall = (args: readonly JsonValue[], context: HostCallContext) => Promise<JsonValue>

/**
 * What user code may use beyond the language itself, beside `log`, `console` and `metadata`.
 *
 * Inside the guest, two functions lead to the host: `callHost(name, ...args)` gives the answer of a sync call,
 * `callHostLater(name, ...args)` a promise for that of an async one. Arguments and answers cross as JSON values
 * (undefined as null). The two are globals only while `globals` and then `modules` run, before any user code: texts
 * take hold of them at their top (`const call = callHost`), and of every built-in they use later, since users may
 * overwrite those. A call costs 3-5 µs, so calls should take whole values.
 */
export interface GuestApi {
  /**
   * ES module texts by import specifier (`@sluice/hash`); they may import each other. They are evaluated once, when the
   * engine is prepared, must not await at their top, and must not depend on the time, on randomness or on a batch there.
   */
  readonly modules: Readonly<Record<string, string>>
  /** A script (sloppy mode, global scope; wrap it in a function) that installs globals on `globalThis`. '' for none. */
  readonly globals: string
  /** Host functions by name; names are looked up as own properties only. */
  readonly syncCalls: Readonly<Record<string, SyncHostCall>>
  readonly asyncCalls: Readonly<Record<string, AsyncHostCall>>
}

/** Nothing beyond the language. */
export const noGuestApi: GuestApi = { modules: {}, globals: '', syncCalls: {}, asyncCalls: {} }
