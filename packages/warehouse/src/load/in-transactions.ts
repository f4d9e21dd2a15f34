import { byNewestValue } from './by-newest-value.ts'
import type { PreparedTable } from './warehouse.ts'

/** What a transaction may hold: databases keep memory or locks for each table and column until it ends. */
export interface TransactionLimits {
  readonly tablesMax: number
  /** Columns of all its tables. */
  readonly columnsMax: number
}

/** The tables of a load by transaction. */
interface Transactions {
  /** Written before, in transactions of their own. Writing them again changes nothing. */
  readonly before: readonly (readonly PreparedTable[])[]
  /** Written together with the id of the load. */
  readonly last: readonly PreparedTable[]
}

/**
 * Distributes the tables of a load so that no transaction has too many. Until the last one has succeeded, the load has
 * not happened, and is repeated as a whole: rows of the others then replace themselves, by id.
 */
export function inTransactions(tables: readonly PreparedTable[], limits: TransactionLimits): Transactions {
  const filled = tables.filter(({ rowCount }) => rowCount > 0)
  const hasKey = ({ columns, key }: PreparedTable): boolean => columns.some(({ name }) => name === key)
  // Rows without an id would be written twice, so they are with the id of the load.
  const last = [...filled.filter((table) => !hasKey(table))]
  const parts = grouped(filled.filter(hasKey), limits, ({ columns }) => columns.length)
  last.push(...(parts.pop() ?? []))
  return { before: parts.map((part) => part.map(replacing)), last }
}

/** Divides a list into parts within limits, in order. @param columnsOf how many columns an item has. */
export function grouped<Item>(
  items: readonly Item[],
  { tablesMax, columnsMax }: TransactionLimits,
  columnsOf: (item: Item) => number,
): Item[][] {
  const parts: Item[][] = []
  let columns = 0
  for (const item of items) {
    columns += columnsOf(item)
    const part = parts.at(-1)
    if (part !== undefined && part.length < tablesMax && columns <= columnsMax) part.push(item)
    else {
      parts.push([item])
      columns = columnsOf(item)
    }
  }
  return parts
}

/** Rows of such a table replace those with the same ids, also where they would be added otherwise. */
function replacing(table: PreparedTable): PreparedTable {
  if (table.mode !== 'append') return table
  const keyAt = table.columns.findIndex(({ name }) => name === table.key)
  const all = [...table.rows()].map((row) => [...row])
  const rows = byNewestValue(all, keyAt, false)
  return { ...table, mode: 'replace', rowCount: rows.length, rows: () => rows }
}
