import { hash } from 'node:crypto'
import { wholeIdColumn } from '../../ids/whole-id-column.ts'
import { TableRow } from '../../rows/table-row.ts'
import type { StagedTable } from '../staged-rows.ts'

/**
 * Returns tables in which an id that is too long for an index is its digest, and another column has the whole id: databases refuse longer
 * keys, and a table should find its rows the same way whether it has an index or not. Pure.
 *
 * @param lengthMax characters of a key. Undefined without a limit. @param nameOf returns a name in the case of the warehouse.
 */
export function withShortIds(
  tables: readonly StagedTable[],
  lengthMax: number | undefined,
  nameOf: (name: string) => string,
): readonly StagedTable[] {
  if (lengthMax === undefined) return tables
  const key = nameOf('id')
  const whole = nameOf(wholeIdColumn)
  return tables.map((table) => {
    const isLong = (row: TableRow): boolean => isTooLong(row.values[row.names.indexOf(key)], lengthMax)
    if (!table.columns.has(key) || !table.rows.some(isLong)) return table
    return {
      table: table.table,
      columns: new Map(table.columns).set(whole, 'string'),
      rows: table.rows.map((row) => (isLong(row) ? shortened(row, key, whole) : row)),
    }
  })
}

/** Returns the digest that is stored in place of an id. */
function digestOfId(id: string): string {
  return `sha256:${hash('sha256', id)}`
}

function isTooLong(id: unknown, lengthMax: number): id is string {
  return typeof id === 'string' && id.length > lengthMax && [...id].length > lengthMax
}

function shortened({ table, names, types, values, mergeRule }: TableRow, key: string, whole: string): TableRow {
  const at = names.indexOf(key)
  const id = String(values[at])
  // An event that has this key itself does not keep it.
  const kept = names.map((name, place) => ({ name, type: types[place] ?? 'string', value: values[place] }))
  const cells = [...kept.filter(({ name }) => name !== whole), { name: whole, type: 'string' as const, value: id }]
  return new TableRow(
    table,
    cells.map(({ name }) => name),
    cells.map(({ type }) => type),
    cells.map(({ name, value }) => (name === key ? digestOfId(id) : value)),
    mergeRule,
  )
}
