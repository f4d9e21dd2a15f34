import { Bound, type Statement, sql } from '../engines/sql/statement.ts'
import type { TextRow } from '../engines/sql/text-row.ts'
import { discardsTable } from '../evolve/discard.ts'
import type { LiveSchema } from '../evolve/live-schema.ts'
import type { ErasureSql, ErasureStore } from './erasure-store.ts'
import { rowIdOf } from './search-columns.ts'

interface SqlStoreOptions {
  readonly sql: ErasureSql
  readonly schema: LiveSchema
  /** Returns the whole name of a table, quoted. */
  nameOf(table: string): string
  rows(statement: Statement): Promise<readonly TextRow[]>
  /** Deletes rows. Default: with `delete from`. @param name of a table, quoted. */
  delete?(name: string, condition: Statement): Promise<unknown>
}

/** The tables of a database, each in one part. */
export function createSqlStore(options: SqlStoreOptions): ErasureStore {
  const { sql: words, schema, nameOf, rows } = options
  const { cased, quoted, text } = words
  const remove = options.delete ?? ((name, condition) => rows(sql`delete from ${name} where ${condition}`))
  const discards = schema.has(cased(discardsTable)) ? nameOf(cased(discardsTable)) : undefined
  const ownText = (name: string): string => text(quoted(cased(name)), 'text')
  const deleteDiscards = async (condition: Statement): Promise<void> => {
    if (discards !== undefined) await remove(discards, condition)
  }
  return {
    sql: words,
    discards,
    rows: (statement) => rows(statement),
    deleteDiscards,
    async eachPart(table, work) {
      const columns = schema.get(table)
      if (columns === undefined) return
      const from = nameOf(table)
      const id = rowIdOf({ columns }, words)
      await work({
        from,
        columns,
        async delete(condition) {
          // First, while the rows are there. Values that did not fit are data of these users, too.
          if (id !== undefined)
            await deleteDiscards(
              sql`${ownText('table_name')} = ${new Bound(table)} and ${ownText('row_id')} <> '' and ${ownText('row_id')} in (select ${id} from ${from} where ${condition})`,
            )
          await remove(from, condition)
        },
      })
    },
  }
}
