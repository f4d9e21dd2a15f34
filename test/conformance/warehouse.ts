import type { Event, JsonObject, JsonValue } from '@sluice/core'
import {
  createRowMaker,
  type EventOrigin,
  type RowSettings,
  type TableRow,
  warehouseProviders,
} from '@sluice/warehouse'
import { difference } from './difference.ts'
import type { Row, RowRunner } from './row.ts'

interface WarehouseRow {
  readonly provider: (typeof warehouseProviders)[number]
  readonly settings: { readonly config?: RowSettings; readonly query?: Readonly<Record<string, string>> }
  readonly event: Event
  readonly metadata: EventOrigin
  readonly expected: readonly JsonObject[] | RecordedRefusal
}

interface RecordedRefusal {
  readonly error: string
}

/** The rows were recorded at this time, and every random id was this one. */
const now = Date.parse('2026-11-01T12:00:00.000Z')
const uuid = '00000000-0000-4000-8000-000000000001'

/**
 * Rows of `warehouse`: the table rows of one event. They run through `createRowMaker` with the settings of the row, and
 * without those that Sluice has beyond RudderStack's: `keepsLongNames` and `guardsOwnNames`.
 */
export function createWarehouseRunner(): RowRunner {
  return {
    groupOf: (row) => (isWarehouseRow(row) ? `warehouse ${row.provider}` : undefined),
    close: async () => {},
    run: async (row) => (isWarehouseRow(row) ? runRow(row) : 'not a row of a warehouse'),
  }
}

function isWarehouseRow(row: unknown): row is Row & WarehouseRow {
  const { provider } = row as Partial<WarehouseRow>
  return provider !== undefined && warehouseProviders.includes(provider)
}

function runRow({ provider, settings, event, metadata, expected }: WarehouseRow): string {
  const { config = {}, query = {} } = settings
  const rowsOf = createRowMaker({
    provider,
    settings: {
      ...config,
      storesArrays: query['chEnableArraySupport'] === 'true',
      resolvesIdentities: query['whIDResolve'] === 'true',
    },
    now: () => now,
    uuid: () => uuid,
  })
  const made = rowsOf(event, metadata)
  if ('error' in expected) {
    // RudderStack throws a TypeError at these: any result that is none is better.
    if (expected.error === 'crash_type') return ''
    return difference(expected.error, made.ok ? 'rows' : made.error.code, 'error')
  }
  if (!made.ok) return `wanted rows, got ${made.error.code}: ${made.error.message}`
  return difference(expected.map(withParsedEvent), made.rows.map(recorded).map(withParsedEvent), 'rows')
}

/** A row in the form of the recording. */
function recorded({ table, columns, data, mergeRule }: TableRow): JsonObject {
  const rule = mergeRule && {
    isMergeRule: true,
    mergePropOne: mergeRule.one,
    mergePropTwo: mergeRule.two,
  }
  return { table, columns, data, ...rule }
}

/** The order of keys in the whole event is of no importance. */
function withParsedEvent(row: JsonObject): object {
  const data = Object.entries(row['data'] as JsonObject)
  return {
    ...row,
    data: Object.fromEntries(
      data.map(([name, value]) => [name, name.toLowerCase() === 'rudder_event' ? parsed(value) : value]),
    ),
  }
}

/** A key of an event may have the same name, and any text as its value. */
function parsed(value: JsonValue | undefined): JsonValue | undefined {
  try {
    return JSON.parse(String(value)) as JsonValue
  } catch {
    return value
  }
}
