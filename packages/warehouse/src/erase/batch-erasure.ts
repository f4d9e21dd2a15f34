import { joined, type Statement, sql } from '../engines/sql/statement.ts'
import type { LiveSchema } from '../evolve/live-schema.ts'
import { type IdKind, idColumnsOf } from '../ids/id-columns.ts'
import { WarehouseError } from '../load/warehouse-error.ts'
import type { ErasureStore, TablePart } from './erasure-store.ts'
import { conditionsOf, type FoundIds, findIds, type WantedIds } from './find-ids.ts'
import { Links } from './linked-ids.ts'
import { isOneOf, type MisfitColumn, Misfits } from './misfits.ts'
import { rowIdOf, type SearchColumn, searchColumns, searching } from './search-columns.ts'

/** Counts deleted rows of a table for the users to whom they belonged. */
type CountDeleted = (table: string, users: ReadonlySet<number>, rows: number) => void

/** Largest number of spellings of a blank user id in one table. More are no accident. */
const blanksMax = 500

/** Deletes the rows of some users. Used once. */
export class BatchErasure {
  readonly #store: ErasureStore
  readonly #tables: readonly string[]
  readonly #linking: string | undefined
  readonly #wanted: WantedIds
  readonly #signal: AbortSignal
  readonly #count: CountDeleted

  constructor(store: ErasureStore, schema: LiveSchema, wanted: WantedIds, count: CountDeleted, signal: AbortSignal) {
    this.#store = store
    this.#wanted = wanted
    this.#count = count
    this.#signal = signal
    const tables = [...schema].filter(([table, columns]) => idColumnsOf(table, columns).length > 0)
    const names = tables.map(([table]) => table)
    this.#linking = names.find((name) => name === store.sql.cased('identifies'))
    this.#tables = [...names.filter((name) => name !== this.#linking), ...(this.#linking ? [this.#linking] : [])]
  }

  async run(): Promise<void> {
    const misfits = await Misfits.read(this.#store)
    await this.#eraseAnonymous(misfits)
    for (const table of this.#tables)
      for (const kind of ['other', 'user', 'anonymous'] as const)
        await this.#eachColumn(table, kind, async (part, { place }) => {
          for await (const found of findIds(this.#store, place, this.#wanted)) await this.#delete(table, part, found)
        })
    for (const each of this.#inOrder(misfits)) {
      if (each.kind === 'user' && each.table === this.#store.sql.cased('users'))
        await this.#eraseWithoutId(misfits, each)
      else await this.#eraseMisfits(misfits, each, this.#wanted)
      await misfits.delete(each, this.#wanted)
    }
    if (this.#store.discards !== undefined) await misfits.deleteOfUsers(this.#store.sql.cased('users'), this.#wanted)
  }

  /** Deletes rows without a user whose anonymous id is linked to one of the users. */
  async #eraseAnonymous(misfits: Misfits): Promise<void> {
    if (this.#linking === undefined) return
    const linking = this.#linking
    const links = new Links(this.#store, misfits, linking, this.#wanted)
    for (let after: string | undefined = ''; after !== undefined; ) {
      const from: string = after
      const { ids, next } = await searching(linking, () => links.read(from))
      after = next
      if (ids.size === 0) continue
      for (const table of this.#tables)
        await this.#eachColumn(table, 'anonymous', async (part, { place }, columns) => {
          const withoutUser = await this.#withoutUser(table, part, columns, misfits)
          for await (const found of findIds(this.#store, place, ids, withoutUser))
            await this.#delete(table, part, found, withoutUser)
        })
      for (const each of this.#inOrder(misfits))
        if (each.kind === 'anonymous') await this.#eraseMisfits(misfits, each, ids)
    }
  }

  /** Deletes rows whose id is in the discards, because it did not fit the type of its column. */
  async #eraseMisfits(misfits: Misfits, of: MisfitColumn, wanted: WantedIds): Promise<void> {
    for await (const rows of misfits.rowsOf(of, wanted))
      await searching(of.table, () =>
        this.#store.eachPart(of.table, async (part) => {
          const columns = await searchColumns(this.#store, of.table, part)
          const own = columns.find(({ name }) => name.toLowerCase() === of.column.toLowerCase())
          const id = rowIdOf(part, this.#store.sql)
          if (own === undefined || id === undefined) return
          const withoutUser =
            own.kind === 'anonymous' ? await this.#withoutUser(of.table, part, columns, misfits) : undefined
          const also = withoutUser ? sql` and ${withoutUser}` : sql``
          for (const isRow of isOneOf(id, [...rows.keys()], this.#store.sql.valuesMax)) {
            const condition = sql`${isRow} and ${own.place.column} is null${also}`
            const counted = await this.#store.rows(
              sql`select ${id} as k, count(*) as n from ${part.from} where ${condition} group by 1`,
            )
            if (counted.length === 0) continue
            await part.delete(condition)
            for (const { k, n } of counted) this.#count(of.table, rows.get(k ?? '') ?? new Set(), Number(n))
          }
        }),
      )
  }

  /** Deletes rows of `users` without an id. There are such rows only from loads of earlier versions. */
  async #eraseWithoutId(misfits: Misfits, of: MisfitColumn): Promise<void> {
    const { quoted, cased, text } = this.#store.sql
    await this.#eachColumn(of.table, 'user', async (part, { place }) => {
      if (!part.columns.has(cased('uuid_ts'))) return
      for await (const { times, users } of misfits.loadsOf(of, this.#wanted)) {
        const condition = sql`${place.column} is null and ${text(quoted(cased('uuid_ts')), 'time')} in (${times})`
        const [counted] = await this.#store.rows(sql`select count(*) as n from ${part.from} where ${condition}`)
        const rows = Number(counted?.['n'] ?? 0)
        if (rows === 0) continue
        await part.delete(condition)
        this.#count(of.table, users, rows)
      }
    })
  }

  /** Returns the condition that a row belongs to no user of its own, undefined where rows have none. */
  async #withoutUser(
    table: string,
    part: TablePart,
    columns: readonly SearchColumn[],
    misfits: Misfits,
  ): Promise<Statement | undefined> {
    const id = rowIdOf(part, this.#store.sql)
    const conditions: Statement[] = []
    for (const { name, kind, place } of columns) {
      if (kind !== 'user') continue
      const { column, family } = place
      const isBlank = sql`${column} is null`
      if (family === 'text' || family === 'json') {
        const blanks: Statement[] = []
        for await (const { values } of findIds(this.#store, place, new Map([['', new Set<number>()]]))) {
          blanks.push(...values.map(({ value }) => value))
          if (blanks.length > blanksMax) throw tooManyBlanks(table, name)
        }
        const text = this.#store.sql.text(column, family)
        const spelt = blanks.length === 0 ? sql`` : sql` or ${text} in (${joined(blanks, ', ')})`
        conditions.push(sql`(${isBlank}${spelt})`)
      } else conditions.push(isBlank)
      const others = misfits.of(table, name)
      if (id !== undefined && others !== undefined)
        conditions.push(sql`(${id} is null or ${id} not in (${misfits.rowsWithout(others)}))`)
    }
    return conditions.length === 0 ? undefined : joined(conditions, ' and ')
  }

  /** Runs work for the columns of a kind in each part of a table. */
  async #eachColumn(
    table: string,
    kind: IdKind,
    work: (part: TablePart, column: SearchColumn, columns: readonly SearchColumn[]) => Promise<void>,
  ): Promise<void> {
    await searching(table, () =>
      this.#store.eachPart(table, async (part) => {
        this.#signal.throwIfAborted()
        const columns = await searchColumns(this.#store, table, part)
        for (const column of columns) if (column.kind === kind) await work(part, column, columns)
      }),
    )
  }

  async #delete(table: string, part: TablePart, found: FoundIds, also?: Statement): Promise<void> {
    const more = also ? sql` and ${also}` : sql``
    for (const belongs of conditionsOf(found, this.#store.sql)) await part.delete(sql`${belongs}${more}`)
    for (const { users, rows } of found.values) this.#count(table, users, rows)
  }

  /** Columns with misfits of tables that are there, those of the linking table last. */
  #inOrder(misfits: Misfits) {
    return this.#tables.flatMap((table) => misfits.columns.filter((each) => each.table === table))
  }
}

function tooManyBlanks(table: string, column: string): WarehouseError {
  return new WarehouseError(
    `The table ${table} has more than ${blanksMax} spellings of an empty ${column}, so rows without a user look like others. Set them to NULL.`,
    'NOT_SEARCHED',
  )
}
