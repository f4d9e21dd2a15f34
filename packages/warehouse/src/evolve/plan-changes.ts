import type { ColumnType } from '../rows/columns/column-type.ts'
import type { LiveColumn, LiveSchema, NewColumn, TableChange } from './live-schema.ts'
import { otherName } from './other-name.ts'
import type { Retyping } from './retyping.ts'

/** Columns that rows need, by table. */
type WantedColumns = ReadonlyMap<string, ReadonlyMap<string, ColumnType>>

/** How a warehouse compares names, and how much it holds. */
export interface TableLimits {
  /** Largest number of columns of a table; no column is added beyond. */
  readonly columnsMax: number
  /** Whether `Total` and `total` are the same column. */
  readonly ignoresCase: boolean
  /** Largest size of a text in a column that Sluice adds, in bytes of UTF-8. Absent without a limit. */
  readonly textBytesMax?: number
  /** The types that columns can get: see `WarehouseSession.retype`. Absent: none. */
  readonly retypesTo?: readonly Retyping['to'][]
  /** Largest number of characters of the id of a row, by which an index finds it. Absent without a limit. */
  readonly keyLengthMax?: number
  /** Largest number of characters of a name; default 127. */
  readonly nameLengthMax?: number
  /** Whether `Tracks` and `tracks` are the same table. */
  readonly ignoresTableCase?: boolean
}

/** What the columns of a table are named, where they cannot be named as usual. */
export interface ColumnPlaces {
  /** Returns the name of a column, or why it can have none. */
  of(column: string): { readonly name: string } | { readonly reason: string }
}

/** How the columns of a table are written. */
export interface TablePlan {
  readonly change: TableChange | undefined
  /** By the name that rows use. */
  readonly columns: ReadonlyMap<string, PlannedColumn>
}

/** Where the values of a column are written, or why they are not. */
export type PlannedColumn =
  | { readonly name: string; readonly column: LiveColumn; readonly reason?: undefined }
  | { readonly reason: string; readonly column?: undefined }

const noRoom = { reason: 'the table has no room for more columns' }

/**
 * Compares what rows need with what a warehouse has. Its schema is the truth: tables and columns are added, and a column
 * keeps its type. Pure. Source: packages/docs/behaviour/warehouses.md#schema.
 */
export function planChanges(
  wanted: WantedColumns,
  live: LiveSchema,
  { columnsMax, ignoresCase, textBytesMax, nameLengthMax = 127 }: TableLimits,
  placesOf: (table: string) => ColumnPlaces | undefined = () => undefined,
): ReadonlyMap<string, TablePlan> {
  const keyOf = (name: string): string => (ignoresCase ? name.toLowerCase() : name)
  const plans = new Map<string, TablePlan>()
  for (const [table, types] of wanted) {
    const known = live.get(table)
    const byKey = new Map([...(known ?? [])].map(([name, column]) => [keyOf(name), { name, column }]))
    const added: NewColumn[] = []
    const columns = new Map<string, PlannedColumn>()
    const used = new Set<string>()
    const places = placesOf(table)
    for (const [wantedName, type] of types) {
      const target = places?.of(wantedName) ?? { name: wantedName }
      if ('reason' in target) {
        columns.set(wantedName, target)
        continue
      }
      // Another key may have that name by itself, or one that is the same here.
      const isOthers = used.has(keyOf(target.name)) || (target.name !== wantedName && types.has(target.name))
      const name = isOthers ? otherName(wantedName, target.name, nameLengthMax) : target.name
      used.add(keyOf(name))
      const found = byKey.get(keyOf(name))
      if (found === undefined && byKey.size < columnsMax) {
        const bytes = textBytesMax !== undefined && isText(type) ? { bytesMax: textBytesMax } : {}
        const place = { name, column: { type, native: type, ...bytes } }
        byKey.set(keyOf(name), place)
        added.push({ name, type })
        columns.set(wantedName, place)
      } else columns.set(wantedName, found ?? noRoom)
    }
    const change = known && added.length === 0 ? undefined : { table, isNew: known === undefined, columns: added }
    plans.set(table, { change, columns })
  }
  return plans
}

function isText(type: ColumnType): boolean {
  return type === 'string' || type === 'text' || type === 'json'
}
