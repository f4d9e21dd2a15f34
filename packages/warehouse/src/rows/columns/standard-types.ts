import type { FixedType } from '../../naming/column-names.ts'

/** Types that standard columns can have. */
export type StandardType = FixedType

/** Columns of ids, in every table that has them from Sluice. */
const ids: readonly string[] = ['id', 'anonymous_id', 'user_id', 'context_traits_id', 'context_traits_user_id']

const texts: readonly string[] = [
  'channel',
  'context_ip',
  'context_request_ip',
  'context_passed_ip',
  'context_source_id',
  'context_source_type',
  'context_destination_id',
  'context_destination_type',
]

const times: readonly string[] = ['sent_at', 'timestamp', 'original_timestamp', 'received_at']

/** Columns of tables that are not named after events. In other tables, members of events may have these names. */
const ofTable: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    tracks: ['event', 'event_text', 'record_id'],
    pages: ['name'],
    screens: ['name'],
    groups: ['group_id'],
    _groups: ['group_id'],
    aliases: ['previous_id'],
  }),
)

/** Columns of tables that are named after events. */
const ofEvents: readonly string[] = ['event', 'event_text']

const otherTables = new Set(['identifies', 'users', 'pages', 'screens', 'groups', '_groups', 'aliases'])

const everywhere: ReadonlyMap<string, StandardType> = new Map([
  ...[...ids, ...texts].map((name) => [name, 'string'] as const),
  ...times.map((name) => [name, 'datetime'] as const),
])

/**
 * Returns the type of a standard column, undefined for a column that members of events make. Names may have any case. Source:
 * packages/docs/behaviour/warehouses.md#types.
 */
export function standardTypeOf(table: string, name: string): StandardType | undefined {
  const column = name.toLowerCase()
  const known = everywhere.get(column)
  if (known !== undefined) return known
  const key = table.toLowerCase()
  const own = ofTable.get(key) ?? (otherTables.has(key) ? [] : ofEvents)
  return own.includes(column) ? 'string' : undefined
}

/** Returns whether the name of a table is reserved, whatever events are called. Names may have any case. */
export function isStandardTable(table: string): boolean {
  const key = table.toLowerCase()
  return key === 'tracks' || otherTables.has(key) || /^(?:rudder|sluice)_/.test(key)
}
