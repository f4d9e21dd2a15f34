import { identifierText, type JsonValue } from '@sluice/core'
import type { DiscardReason, LoadedTable, LoadReport } from '@sluice/destinations'
import { type Cast, type ColumnValue, castValue, isIsoTime } from '../evolve/cast-value.ts'
import { type Discard, discardColumns, discardsTable } from '../evolve/discard.ts'
import type { LiveColumn, LiveSchema, TableChange } from '../evolve/live-schema.ts'
import {
  type ColumnPlaces,
  type PlannedColumn,
  planChanges,
  type TableLimits,
  type TablePlan,
} from '../evolve/plan-changes.ts'
import { type IdKind, idKindOf } from '../ids/id-columns.ts'
import type { ColumnType } from '../rows/columns/column-type.ts'
import { type StandardType, standardTypeOf } from '../rows/columns/standard-types.ts'
import type { TableRow } from '../rows/table-row.ts'
import { byNewestValue } from './by-newest-value.ts'
import { type LimitedTables, limitNewTables, type NewTablesLimit } from './plan/new-tables.ts'
import { withShortIds } from './plan/short-ids.ts'
import type { StagedTable } from './staged-rows.ts'
import type { PreparedLoad, PreparedTable, WriteMode } from './warehouse.ts'

export interface PrepareOptions {
  readonly loadId: string
  readonly destinationId: string
  /** Milliseconds since 1970. */
  readonly at: number
  readonly limits: TableLimits
  /** Whether rows with an id that is there already take its place, or are added. */
  readonly mode: 'append' | 'replace'
  /** How far back rows with the same id are looked for, in milliseconds. Left out, without limit. */
  readonly windowMs?: number
  /** Returns a name in the case of the warehouse, such as upper case. */
  readonly nameOf: (name: string) => string
  /** Left out, without limit. */
  readonly newTables?: NewTablesLimit
  /** Returns what columns are named that the database refuses under their usual names. */
  readonly placesOf?: (table: string) => ColumnPlaces | undefined
}

export interface Preparation {
  readonly changes: readonly TableChange[]
  readonly load: PreparedLoad
  readonly report: Omit<LoadReport, 'loadId'>
}

/** Values of discards are cut to so many characters. */
const discardLengthMax = 10_000
/** Reasons in the report of a table. */
export const reasonsMax = 20

/**
 * Makes staged rows fit the schema of a warehouse: plans what has to be added, converts values, and turns what does not
 * fit into rows of the table of discards. Pure.
 */
export function prepareLoad(given: readonly StagedTable[], live: LiveSchema, options: PrepareOptions): Preparation {
  const { loadId, destinationId, at, limits, nameOf, newTables } = options
  const all = withShortIds(given, limits.keyLengthMax, nameOf)
  const limited = newTables && limitNewTables(all, live, newTables, nameOf)
  const staged = limited?.kept ?? all
  const wanted = new Map(staged.map(({ table, columns }) => [table, columns]))
  const plans = planChanges(wanted, live, limits, options.placesOf)
  const discards: Discard[] = []
  const tables: PreparedTable[] = []
  const reports: LoadedTable[] = []
  for (const table of staged) {
    const plan = plans.get(table.table)
    if (plan === undefined) continue
    const before = discards.length
    const prepared = prepareTable(table, plan, options, discards)
    tables.push(prepared)
    reports.push({
      table: table.table,
      rows: prepared.rowCount,
      discards: discards.length - before,
      reasons: reasonsOf(discards.slice(before)),
      newColumns: plan.change?.columns ?? [],
      isNew: plan.change?.isNew ?? false,
    })
  }
  const keys = new Map(tables.flatMap(({ table, mode, key }) => (mode === 'append' ? [] : [[table, key] as const])))
  const changes = [...plans.values()].flatMap(({ change }) => (change ? [withKey(change, keys.get(change.table))] : []))
  if (discards.length > 0) {
    const name = nameOf(discardsTable)
    const types = new Map([...discardColumns].map(([column, type]) => [nameOf(column), type]))
    const plan = planChanges(new Map([[name, types]]), live, limits).get(name)
    if (plan?.change) changes.push(plan.change)
    tables.push(discardRows(name, types, discards, at))
  }
  return { changes, load: { loadId, destinationId, at, tables }, report: { tables: reports, ...reportOf(limited) } }
}

function reportOf(limited: LimitedTables | undefined): Pick<LoadReport, 'newTables' | 'leftOut'> {
  if (limited === undefined) return {}
  const { created, leftOut } = limited
  return leftOut.tables === 0 ? { newTables: created } : { newTables: created, leftOut }
}

function withKey(change: TableChange, key: string | undefined): TableChange {
  return key === undefined || !change.isNew ? change : { ...change, key }
}

function prepareTable(
  { table, rows, columns: types }: StagedTable,
  { columns }: TablePlan,
  { at, mode, nameOf, windowMs }: PrepareOptions,
  discards: Discard[],
): PreparedTable {
  const loadedAt = new Date(at).toISOString()
  const filled = new Set([nameOf('uuid_ts'), nameOf('loaded_at')])
  const places = [...types].map(([from, type]) => ({ from, type, to: columns.get(from), isFilled: filled.has(from) }))
  const isWritten = (to: PlannedColumn | undefined): boolean => to?.column?.type !== undefined
  const written = places.filter(({ to }) => isWritten(to))
  const isUsers = table.toLowerCase() === 'users'
  const key = nameOf('id')
  const indexOf = new Map(places.map(({ from }, at) => [from, at]))
  const values = rows.map((row) => {
    const line: ColumnValue[] = places.map(({ isFilled }) => (isFilled ? loadedAt : null))
    for (let at = 0; at < row.names.length; at += 1) {
      const value = row.values[at]
      const place = places[indexOf.get(row.names[at] as string) as number]
      if (value === undefined || value === null || place === undefined || place.isFilled) continue
      const { from, type, to } = place
      const cast = castOf(value, row.types[at] ?? type, to, idKindOf(table, from))
      if (cast.ok) line[indexOf.get(from) as number] = cast.value
      else discards.push(discardOf(table, row, from, value, withWayOut(cast.reason, table, from, to?.column), nameOf))
    }
    return written.length === places.length ? line : line.filter((_, at) => isWritten(places[at]?.to))
  })
  const names = written.flatMap(({ to, type }) => (to?.column ? [{ name: to.name, type: to.column.type ?? type }] : []))
  const keyAt = names.findIndex(({ name }) => name === key)
  const writeMode: WriteMode = keyAt === -1 ? 'append' : isUsers ? 'update' : mode
  // A row of a user without an id could not be found again, neither to be updated nor to be erased.
  const ofSomeone = isUsers && types.has(key) ? values.filter((line) => (line[keyAt] ?? null) !== null) : values
  const kept = writeMode === 'append' ? ofSomeone : byNewestValue(ofSomeone, keyAt, writeMode === 'update')
  const isDated = names.some(({ name }) => name === nameOf('received_at'))
  const since = windowMs === undefined || isUsers || !isDated ? {} : { since: new Date(at - windowMs).toISOString() }
  return { table, columns: names, key, mode: writeMode, ...since, rowCount: kept.length, rows: () => kept }
}

/** Converts a value. An id stays the same id: the text `042` must not become the number 42. */
function castOf(value: JsonValue, from: ColumnType, to: PlannedColumn | undefined, idKind: IdKind | undefined): Cast {
  const column = to?.column
  if (column === undefined) return { ok: false, reason: to?.reason ?? 'the table has no such column' }
  const cast = castValue(value, from, column)
  if (!cast.ok || idKind === undefined || idKind === 'other' || column.type === 'json') return cast
  if (identifierText(cast.value) === identifierText(value)) return cast
  return { ok: false, reason: `it would be another id in a column of type ${column.native}` }
}

/** Adds what an operator can do when a standard column has a type that is not its own. */
function withWayOut(reason: string, table: string, name: string, column: LiveColumn | undefined): string {
  const standard = standardTypeOf(table, name)
  if (standard === undefined || column?.type === undefined || isOwnType(column.type, standard)) return reason
  return `${reason}; rename ${name} of ${table}, and the next load adds it with its own type`
}

function isOwnType(type: ColumnType, standard: StandardType): boolean {
  return type === standard || (standard === 'string' && type === 'text')
}

function discardOf(
  table: string,
  { names, values }: TableRow,
  column: string,
  value: unknown,
  reason: string,
  nameOf: (name: string) => string,
): Discard {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const receivedAt = values[names.indexOf(nameOf('received_at'))]
  return {
    rowId: String(values[names.indexOf(nameOf('id'))] ?? ''),
    table,
    column,
    value: text.slice(0, discardLengthMax),
    reason,
    receivedAt: isIsoTime(receivedAt) ? receivedAt : null,
  }
}

/** Returns the reasons of discards, the most frequent first. */
function reasonsOf(discards: readonly Discard[]): readonly DiscardReason[] {
  const byText = new Map<string, DiscardReason>()
  for (const { column, reason } of discards) {
    const key = `${column} ${reason}`
    byText.set(key, { column, reason, values: (byText.get(key)?.values ?? 0) + 1 })
  }
  return [...byText.values()].sort((a, b) => b.values - a.values).slice(0, reasonsMax)
}

function discardRows(
  table: string,
  types: ReadonlyMap<string, ColumnType>,
  discards: readonly Discard[],
  at: number,
): PreparedTable {
  const loadedAt = new Date(at).toISOString()
  return {
    table,
    columns: [...types].map(([name, type]) => ({ name, type })),
    key: '',
    mode: 'append',
    rowCount: discards.length,
    rows: () =>
      discards.map(({ rowId, table, column, value, reason, receivedAt }) => [
        rowId,
        table,
        column,
        value,
        reason,
        receivedAt,
        loadedAt,
      ]),
  }
}
