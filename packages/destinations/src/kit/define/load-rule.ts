import type { Event, JsonObject } from '@sluice/core'
import type { DeliveryRequest } from '../map/request/delivery-request.ts'

/**
 * How a definition loads the requests of many events at once, as warehouses do. Its requests are ACTION requests, so that
 * a single event, such as a retry, is loaded by `action`; what comes from the event log is loaded by this rule.
 */
export interface LoadRule {
  /** Opens a loader for one destination. Connects to nothing yet. */
  open(settings: JsonObject, place: LoadPlace): Loader
}

/** Where a loader works. */
export interface LoadPlace {
  readonly workspaceId: string
  readonly destinationId: string
  /** Returns the current time in milliseconds since 1970. */
  now(): number
}

/** When collected events are loaded. */
export interface LoadPace {
  /** Longest time that an event waits, in milliseconds. */
  readonly ms: number
  /** Events after which a load begins. */
  readonly eventsMax: number
}

/**
 * Collects the requests of events, in order, and loads them together. A load has an id that is stored with its data, so
 * that a load with an unknown end is never repeated. One call at a time.
 */
export interface Loader {
  readonly pace: LoadPace
  /** Whether so much is collected that it should be loaded now. */
  readonly isFull: boolean
  /** Adds the requests of an event. */
  add(event: Event, requests: readonly DeliveryRequest[]): void
  /**
   * Loads what is collected, then forgets it. When it rejects, everything is still collected, and the load may or may
   * not have happened: `settle` finds out.
   *
   * A load fails as a whole when the product refuses rows of it, and `refusals` grows: then `refusal` says which events to leave out.
   *
   * @throws an Error whose message is for the operator: what failed and what to do. It contains no credentials.
   */
  load(loadId: string, signal: AbortSignal): Promise<LoadReport>
  /**
   * Returns what loads of other requests would do, one after the other, without doing it. What is collected does not
   * matter. @throws as `load`.
   *
   * @param loads the requests of each load.
   */
  plan(
    loads: Iterable<readonly DeliveryRequest[]> | AsyncIterable<readonly DeliveryRequest[]>,
    signal: AbortSignal,
  ): Promise<readonly LoadedTable[]>
  /**
   * Returns whether a load has happened. When it has not, it never will: a load with this id that is still under way
   * somewhere fails. @throws as `load`.
   */
  settle(loadId: string, signal: AbortSignal): Promise<boolean>
  /** Forgets what is collected. */
  discard(): void
  /** How many rows the product has refused so far. Absent where that is not known. */
  readonly refusals?: number
  /** Returns why the product has refused a row of these requests, undefined when it has refused none. */
  refusal?(requests: readonly DeliveryRequest[]): string | undefined
}

/** What a load did. */
export interface LoadReport {
  readonly loadId: string
  /** At most 100. */
  readonly tables: readonly LoadedTable[]
  /** The sum of further tables. */
  readonly others?: { readonly tables: number; readonly rows: number; readonly discards: number }
  /** New tables that are named after events, by the source of the first event. */
  readonly newTables?: Readonly<Record<string, number>>
  /** Tables that were not created, because their source made too many new ones, and the rows they would have. */
  readonly leftOut?: { readonly tables: number; readonly rows: number }
}

/** What a load did to one table. */
export interface LoadedTable {
  readonly table: string
  readonly rows: number
  /** Values that did not fit their columns: they are NULL in the row, and stored in the table of discards. */
  readonly discards: number
  /** Why values did not fit, at most 20 reasons. */
  readonly reasons: readonly DiscardReason[]
  /** Columns that the load added. */
  readonly newColumns: readonly { readonly name: string; readonly type: string }[]
  /** Whether the load created the table. */
  readonly isNew: boolean
}

/** Values of a column that did not fit for the same reason. */
export interface DiscardReason {
  readonly column: string
  readonly reason: string
  readonly values: number
}
