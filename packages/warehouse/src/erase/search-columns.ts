import { sql } from '../engines/sql/statement.ts'
import { type IdKind, idColumnsOf } from '../ids/id-columns.ts'
import { idFamilyOf } from '../ids/id-family.ts'
import { WarehouseError } from '../load/warehouse-error.ts'
import type { ErasureSql, ErasureStore, TablePart } from './erasure-store.ts'
import type { IdPlace } from './find-ids.ts'

/** A column of ids that can be searched. */
export interface SearchColumn {
  readonly name: string
  readonly kind: IdKind
  readonly place: IdPlace
}

/**
 * Returns the columns of a table that say whose its rows are.
 * @throws WarehouseError for a column of a type in which ids cannot be searched, unless it is empty.
 */
export async function searchColumns(
  store: ErasureStore,
  table: string,
  { from, columns }: TablePart,
): Promise<readonly SearchColumn[]> {
  const found: SearchColumn[] = []
  for (const { name, kind, column, isList } of idColumnsOf(table, columns)) {
    const family = idFamilyOf(column)
    // A list fits into no other type.
    if (isList && family !== undefined && family !== 'text' && family !== 'json') continue
    const quoted = store.sql.quoted(name)
    if (family !== undefined) {
      found.push({ name, kind, place: { from, column: quoted, family, native: column.native, isList } })
      continue
    }
    const rows = await store.rows(sql`select 1 as n from ${from} where ${quoted} is not null limit 1`)
    if (rows.length > 0)
      throw new WarehouseError(
        `The column ${name} of the table ${table} has the type ${column.native}, in which ids of users cannot be searched. Change its type to a text, or delete its rows by hand and drop it.`,
        'NOT_SEARCHED',
      )
  }
  return found
}

/** Returns the id of a row as text, in SQL; undefined when rows have none. */
export function rowIdOf(
  { columns }: Pick<TablePart, 'columns'>,
  { cased, quoted, text }: ErasureSql,
): string | undefined {
  const column = columns.get(cased('id'))
  const family = column && idFamilyOf(column)
  return family && text(quoted(cased('id')), family)
}

/** Says in an error which table could not be searched. */
export async function searching<T>(table: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof WarehouseError) || error.message.includes(`table ${table} `)) throw error
    throw new WarehouseError(`The table ${table} could not be searched for users. ${error.message}`, error.code)
  }
}
