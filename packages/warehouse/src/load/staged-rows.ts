import type { JsonValue } from '@sluice/core'
import { type ColumnType, widest } from '../rows/columns/column-type.ts'
import type { TableRow } from '../rows/table-row.ts'

/** Rows that wait for a load; then it begins. About 100 MB with rows of events of usual size. */
const rowsMax = 60_000
/**
 * Characters of their values; then it begins, too. Rows of events of usual size reach the other bound first. This one is
 * for events of 30 kB: 60,000 rows of them would take gigabytes.
 */
const charsMax = 128 * 1024 * 1024

/** Whether so many rows, with so many characters, should be loaded now. */
export function isFullWith(rows: number, chars: number): boolean {
  return rows >= rowsMax || chars >= charsMax
}

/** Rows that wait for a load, by table. */
export class StagedRows {
  readonly #tables = new Map<string, StagedTable>()
  #count = 0
  #chars = 0

  get count(): number {
    return this.#count
  }

  /** Whether there are so many rows, or so large ones, that they should be loaded now. */
  get isFull(): boolean {
    return isFullWith(this.#count, this.#chars)
  }

  tables(): readonly StagedTable[] {
    return [...this.#tables.values()]
  }

  add(row: TableRow): void {
    const table = isOwnTable(row) ? `_${row.table}` : row.table
    let staged = this.#tables.get(table)
    if (staged === undefined) {
      staged = { table, columns: new Map(), rows: [] }
      this.#tables.set(table, staged)
    }
    const { names, types, values } = row
    for (let at = 0; at < names.length; at += 1) {
      const name = names[at] as string
      const type = types[at] as ColumnType
      const known = staged.columns.get(name)
      if (known === undefined) staged.columns.set(name, filledTypes.get(name.toLowerCase()) ?? type)
      else if (known !== type && filledTypes.get(name.toLowerCase()) === undefined)
        staged.columns.set(name, widest(known, type))
      this.#chars += charsOf(values[at])
    }
    staged.rows.push(row)
    this.#count += 1
  }

  clear(): void {
    this.#tables.clear()
    this.#count = 0
    this.#chars = 0
  }
}

/** Returns about how many characters a value has as text. Short values count as nothing: the number of rows bounds them. */
function charsOf(value: JsonValue | undefined): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  let chars = 0
  const rest: JsonValue[] = [value]
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    chars += typeof next === 'string' ? next.length : 8
    if (typeof next === 'object' && next !== null)
      for (const member of Object.values(next)) rest.push(member as JsonValue)
  }
  return chars
}

/** Types of the columns that a load fills itself, whatever an event has in them. */
const filledTypes: ReadonlyMap<string, ColumnType> = new Map([
  ['uuid_ts', 'datetime'],
  ['loaded_at', 'datetime'],
])

/** Whether an event is named like a table that only Sluice writes. */
function isOwnTable({ table, mergeRule }: TableRow): boolean {
  return (
    mergeRule === undefined &&
    /^(?:rudder_discards|rudder_identity_merge_rules|sluice_loads|sluice_staged)$/i.test(table)
  )
}

export interface StagedTable {
  readonly table: string
  /** The type that a new column would get. */
  readonly columns: Map<string, ColumnType>
  readonly rows: TableRow[]
}
