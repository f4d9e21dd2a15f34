import { otherName } from '../../evolve/other-name.ts'
import type { ColumnPlaces } from '../../evolve/plan-changes.ts'
import { widest } from '../../rows/columns/column-type.ts'
import { isStandardTable, standardTypeOf } from '../../rows/columns/standard-types.ts'
import type { StagedTable } from '../staged-rows.ts'
import { WarehouseError } from '../warehouse-error.ts'

/** A name that a database does not take for a table, or for a column of a table, and its answer. */
export interface RefusedName {
  readonly table: string
  /** Absent: the table itself. */
  readonly column?: string
  readonly reason: string
}

/**
 * Finds other names for what a database refuses: `_` in front, as for reserved words, then an ending made of the name, then none. What was
 * refused is remembered for one load; the next load is answered the same, and finds the same names.
 */
export class TakenNames {
  readonly #lengthMax: number
  readonly #tables = new Map<string, Place>()
  readonly #columns = new Map<string, Map<string, Place>>()

  /** @param lengthMax largest number of characters of a name. */
  constructor(lengthMax = 127) {
    this.#lengthMax = lengthMax
  }

  /** Tables that have no place, by the name that was refused last, with the database's answer. Their rows cannot be loaded. */
  get withoutPlace(): ReadonlyMap<string, string> {
    return new Map(
      [...this.#tables.values()].flatMap(({ name, reason }) => (reason === undefined ? [] : [[name, reason]])),
    )
  }

  /** Notes what a database has refused. @throws WarehouseError when that is a standard table or column: the operator has to make room. */
  refuse({ table, column, reason }: RefusedName): void {
    if (column === undefined ? isStandardTable(table) : standardTypeOf(table, column) !== undefined)
      throw new WarehouseError(
        `The database refuses the ${column === undefined ? `table ${table}` : `column ${column} of ${table}`}: ${reason} Rename what has this name there, or choose another namespace.`,
        'NAME_TAKEN',
      )
    if (column === undefined) next(this.#tables, table, reason, this.#lengthMax)
    else next(this.#columnsOf(table), column, reason, this.#lengthMax)
  }

  /** Returns the name that a table gets, or that was refused last. */
  tableOf(table: string): string {
    return this.#tables.get(table)?.name ?? table
  }

  /** Returns tables under the names that they get, without those that have no place. */
  placed(tables: readonly StagedTable[]): readonly StagedTable[] {
    if (this.#tables.size === 0) return tables
    const placed = new Map<string, StagedTable>()
    for (const table of tables) {
      const place = this.#tables.get(table.table)
      if (place?.reason !== undefined) continue
      const name = place?.name ?? table.table
      placed.set(name, united(placed.get(name), { ...table, table: name }))
    }
    return [...placed.values()]
  }

  /** @param table as it is named now. */
  columnsOf(table: string): ColumnPlaces | undefined {
    const places = this.#columns.get(table)
    if (places === undefined) return undefined
    return {
      of(column) {
        const { name = column, reason } = places.get(column) ?? {}
        return reason === undefined ? { name } : { reason }
      },
    }
  }

  #columnsOf(table: string): Map<string, Place> {
    const known = this.#columns.get(table) ?? new Map<string, Place>()
    this.#columns.set(table, known)
    return known
  }
}

interface Place {
  readonly name: string
  /** Set when no name was taken. */
  readonly reason?: string
}

/** @param refused the name that was tried, which is that of a place or the usual one. */
function next(places: Map<string, Place>, refused: string, reason: string, lengthMax: number): void {
  const [usual = refused] = [...places].find(([, { name }]) => name === refused) ?? []
  const names = [`_${usual}`.slice(0, lengthMax), otherName(usual, `_${usual}`, lengthMax)]
  const tried = names.indexOf(refused)
  const name = names[tried + 1]
  places.set(usual, name === undefined ? { name: refused, reason } : { name })
}

/** The rows of two tables that get the same name. */
function united(a: StagedTable | undefined, b: StagedTable): StagedTable {
  if (a === undefined) return b
  const columns = new Map(a.columns)
  for (const [name, type] of b.columns) columns.set(name, widest(columns.get(name) ?? type, type))
  return { table: a.table, columns, rows: [...a.rows, ...b.rows] }
}
