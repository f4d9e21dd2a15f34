import type { Event } from '@sluice/core'
import { dialectOf } from '../dialects/dialect-of.ts'
import type { WarehouseProvider } from '../dialects/provider.ts'
import { shownValue } from './columns/shown-value.ts'
import { createEventOptions } from './event/event-options.ts'
import type { EventOrigin } from './event/event-origin.ts'
import { isNestedDeeper } from './event/is-nested-deeper.ts'
import { EventRows } from './event-rows.ts'
import type { RowError } from './row-error.ts'
import type { RowSettings } from './row-settings.ts'
import type { TableRow } from './table-row.ts'

/** The rows of an event, in the order of their tables, or why there are none. */
export type RowsOf =
  | { readonly ok: true; readonly rows: readonly TableRow[] }
  | { readonly ok: false; readonly error: RowError }

export interface RowMakerOptions {
  readonly provider: WarehouseProvider
  readonly settings?: RowSettings
  /**
   * Largest number of columns of a row; default 200, as in RudderStack. Rows of data lakes, and of events of the channel
   * `sources`, may have 10,000.
   */
  readonly columnsMax?: number
  /** Returns the current time in milliseconds since 1970, for events without a time. */
  now(): number
  /** Returns the id of an event that has none. */
  uuid(event: Event): string
}

/** Makes the rows of one event. Pure, but for `now` and `uuid` of the options. Never throws. */
export type RowMaker = (event: Event, origin: EventOrigin) => RowsOf

const types = new Set(['track', 'identify', 'page', 'screen', 'group', 'alias', 'extract', 'merge'])
const typeList = [...types].join(', ')

/** Levels of an event. Ingestion accepts fewer, and deeper values could not be written as JSON. */
const depthMax = 1_000

/**
 * Returns what makes rows of events for one destination. It keeps names of columns in a bounded cache, so make one per
 * destination, not per event. Source: packages/docs/behaviour/warehouses.md#rows.
 */
export function createRowMaker(options: RowMakerOptions): RowMaker {
  const dialect = dialectOf(options.provider)
  const optionsOf = createEventOptions(dialect, options.settings ?? {})
  const makers = new Map<string, EventRows>()
  return (event, origin) => {
    const type = typeof event['type'] === 'string' ? event['type'].toLowerCase() : ''
    if (!types.has(type))
      return failure('unsupported_type', `The type ${shownValue(event['type'])} makes no rows; use ${typeList}.`)
    if (isNestedDeeper(event, depthMax))
      return failure('nested_too_deep', `The event is nested deeper than ${depthMax} levels; send flatter values.`)
    const { settings, casing, paths } = optionsOf(event)
    const skipsReserved = settings.skipReservedKeywordsEscaping === true
    const key = `${type} ${casing} ${skipsReserved}`
    let maker = makers.get(key)
    if (maker === undefined || maker.isFull) {
      maker = new EventRows(type, dialect, options, casing, skipsReserved)
      makers.set(key, maker)
    }
    const made = maker.rowsOf(event, origin, settings, paths)
    return 'code' in made ? { ok: false, error: made } : { ok: true, rows: made }
  }
}

function failure(code: RowError['code'], message: string): RowsOf {
  return { ok: false, error: { code, message } }
}
