import { Bound, joined, type Statement, sql } from '../engines/sql/statement.ts'
import { type IdKind, idKindOf, isListOfIds } from '../ids/id-columns.ts'
import type { ErasureStore } from './erasure-store.ts'
import { chunksOf, conditionsOf, findIds, type IdPlace, usersByKey, type WantedIds } from './find-ids.ts'

/** A column whose type did not take an id of a row: the row has none, and the id is in the table of discards. */
export interface MisfitColumn {
  readonly table: string
  readonly column: string
  readonly kind: IdKind
  readonly isList: boolean
}

/** Rows of discards that are read at a time. */
const pageRows = 1_000

/** Reads ids that did not fit their columns from the table of discards. */
export class Misfits {
  readonly #store: ErasureStore
  readonly #from: string
  /** Columns of ids that have misfits. */
  readonly columns: readonly MisfitColumn[]

  private constructor(store: ErasureStore, from: string, columns: readonly MisfitColumn[]) {
    this.#store = store
    this.#from = from
    this.columns = columns
  }

  static async read(store: ErasureStore): Promise<Misfits> {
    const { discards } = store
    if (discards === undefined) return new Misfits(store, '', [])
    const [table, column] = ['table_name', 'column_name'].map((name) => textOf(store, name))
    const rows = await store.rows(sql`select ${table ?? ''} as k, ${column ?? ''} as v from ${discards} group by 1, 2`)
    const columns = rows.flatMap(({ k, v }): readonly MisfitColumn[] => {
      const kind = k != null && v != null ? idKindOf(k, v) : undefined
      return k == null || v == null || kind === undefined ? [] : [{ table: k, column: v, kind, isList: isListOfIds(v) }]
    })
    return new Misfits(store, discards, columns)
  }

  /** Returns the misfits of a column, undefined when it has none. */
  of(table: string, column: string): MisfitColumn | undefined {
    return this.columns.find((each) => each.table === table && each.column.toLowerCase() === column.toLowerCase())
  }

  /** Finds rows of a table whose id did not fit, page by page. @returns users by the id of the row. */
  async *rowsOf(of: MisfitColumn, wanted: WantedIds): AsyncGenerator<WantedIds> {
    const { sql: words } = this.#store
    const [rowId, place] = [textOf(this.#store, 'row_id'), this.#place('column_value', of)]
    for await (const found of findIds(this.#store, place, wanted, this.#among(of)))
      for (const belongs of conditionsOf(found, words)) {
        const users = usersByKey(found)
        for (let after: string | undefined = ''; after !== undefined; ) {
          const rows = await this.#store.rows(
            sql`select ${rowId} as k, ${found.key} as v from ${this.#from} where ${this.#among(of)} and ${belongs} and ${rowId} > ${new Bound(after)} group by 1, 2 order by 1, 2 limit ${String(pageRows)}`,
          )
          const last = rows.at(-1)?.['k'] ?? ''
          const isFull = rows.length === pageRows && rows[0]?.['k'] !== last
          const page = new Map<string, Set<number>>()
          for (const { k, v } of rows) {
            // The last row of a full page may have more values on the next one.
            if (k == null || (isFull && k === last)) continue
            const known = page.get(k) ?? new Set()
            for (const user of users.get(v ?? '') ?? []) known.add(user)
            page.set(k, known)
            after = k
          }
          if (page.size > 0) yield page
          if (!isFull) after = undefined
        }
      }
  }

  /** Returns the ids of rows of a table that another id did not fit, as a query. */
  rowsWithout(of: MisfitColumn): Statement {
    // The inner query makes MySQL delete from a table that the condition reads.
    return sql`select m.r from (select ${textOf(this.#store, 'row_id')} as r from ${this.#from} where ${this.#among(of)} and ${this.#own('row_id')} is not null) m`
  }

  /** Returns rows `sluice_r`, `sluice_v` of the ids of rows and the values that did not fit a column, as a query. */
  values(of: MisfitColumn): Statement {
    return sql`select ${textOf(this.#store, 'row_id')} as sluice_r, ${textOf(this.#store, 'column_value')} as sluice_v from ${this.#from} where ${this.#among(of)}`
  }

  /**
   * Finds loads with ids that did not fit `users`. Before such rows were left out, each of these loads wrote one row
   * without an id, with the values of all users whose ids did not fit. @returns the times of the loads, as a query.
   */
  async *loadsOf(of: MisfitColumn, wanted: WantedIds) {
    const loadedAt = this.#store.sql.text(this.#own('uuid_ts'), 'time')
    for await (const { operand, values } of findIds(
      this.#store,
      this.#place('column_value', of),
      wanted,
      this.#among(of),
    ))
      for (const { value, users } of values) {
        const times = sql`select m.r from (select ${loadedAt} as r from ${this.#from} where ${this.#among(of)} and ${operand} = ${value}) m`
        yield { times, users }
      }
  }

  /** Deletes misfits of these ids, whether or not their row is there. */
  async delete(of: MisfitColumn, wanted: WantedIds): Promise<void> {
    for await (const found of findIds(this.#store, this.#place('column_value', of), wanted, this.#among(of)))
      for (const belongs of conditionsOf(found, this.#store.sql))
        await this.#store.deleteDiscards(sql`${this.#among(of)} and ${belongs}`)
  }

  /** Deletes what did not fit rows of `users`: their ids are those of the users. */
  async deleteOfUsers(table: string, wanted: WantedIds): Promise<void> {
    const among = sql`${textOf(this.#store, 'table_name')} = ${new Bound(table)}`
    for await (const found of findIds(this.#store, this.#place('row_id', { isList: false }), wanted, among))
      for (const belongs of conditionsOf(found, this.#store.sql))
        await this.#store.deleteDiscards(sql`${among} and ${belongs}`)
  }

  #among({ table, column }: MisfitColumn): Statement {
    return sql`${textOf(this.#store, 'table_name')} = ${new Bound(table)} and ${textOf(this.#store, 'column_name')} = ${new Bound(column)}`
  }

  #place(name: string, { isList }: Pick<MisfitColumn, 'isList'>): IdPlace {
    return { from: this.#from, column: this.#own(name), family: 'text', native: '', isList }
  }

  #own(name: string): string {
    const { quoted, cased } = this.#store.sql
    return quoted(cased(name))
  }
}

function textOf({ sql: { text, quoted, cased } }: ErasureStore, name: string): string {
  return text(quoted(cased(name)), 'text')
}

/** Returns the conditions that a text is one of the values. */
export function isOneOf(text: string, values: readonly string[], valuesMax: number): readonly Statement[] {
  return chunksOf(values, valuesMax).map(
    (some) =>
      sql`${text} in (${joined(
        some.map((value) => sql`${new Bound(value)}`),
        ', ',
      )})`,
  )
}
