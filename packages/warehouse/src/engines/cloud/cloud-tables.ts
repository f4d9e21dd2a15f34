import { eraseUsers } from '../../erase/erase-users.ts'
import type { ErasureStore } from '../../erase/erasure-store.ts'
import { findUsers } from '../../erase/find-users.ts'
import { createSqlStore } from '../../erase/sql-store.ts'
import type { LiveColumn, LiveSchema, TableChange } from '../../evolve/live-schema.ts'
import type { Retyping } from '../../evolve/retyping.ts'
import { retypedRowsMax } from '../../load/plan/retypings.ts'
import type { ErasedUser, Erasure, Search } from '../../load/warehouse.ts'
import { WarehouseError } from '../../load/warehouse-error.ts'
import { type Statement, sql } from '../sql/statement.ts'
import type { CloudClient } from './cloud-client.ts'
import type { TableDialect } from './cloud-dialect.ts'

/** Loads and their states, in the same namespace as the rows. */
export const loadsTable = 'sluice_loads'
/** Rows on their way into tables. What a failed load leaves there is deleted a day later. */
export const stagedTable = 'sluice_staged'
/** Attempts at something that other processes do at the same time. */
const attemptsMax = 3

/** Repeats work that fails when another process does the same at that moment, and finds it done afterwards. */
export async function besideOthers(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await work()
    } catch (error) {
      if (attempt === attemptsMax) throw error
    }
}

/** The tables of a namespace: what is the same in all cloud products, apart from words of SQL. */
export class CloudTables {
  readonly #client: Pick<CloudClient, 'rows'>
  readonly #dialect: TableDialect
  #own: ReadonlySet<string> | undefined

  constructor(client: Pick<CloudClient, 'rows'>, dialect: TableDialect) {
    this.#client = client
    this.#dialect = dialect
  }

  /** Returns the columns of all tables but our own. */
  async schema(): Promise<LiveSchema> {
    const tables = new Map<string, Map<string, LiveColumn>>()
    for (const row of await this.#client.rows(this.#dialect.columns)) {
      const table = row['table_name'] ?? ''
      const columns = tables.get(table) ?? new Map<string, LiveColumn>()
      tables.set(table, columns.set(row['column_name'] ?? '', this.#dialect.liveColumnOf(row)))
    }
    const own = [loadsTable, stagedTable].map((name) => this.#dialect.cased(name))
    this.#own = new Set(own.filter((name) => tables.delete(name)))
    return tables
  }

  /** Whether the namespace has our own tables with these names, as far as columns were read; reads them if they never were. */
  async has(...names: readonly string[]): Promise<boolean> {
    if (this.#own === undefined) await this.schema()
    return names.every((name) => this.#own?.has(this.#dialect.cased(name)))
  }

  async evolve(changes: readonly TableChange[]): Promise<void> {
    let mayHaveChanged = changes.some(({ isNew }) => isNew)
    await besideOthers(async () => {
      for (const change of changes) if (change.isNew) await this.#create(change)
      // Another process may have created the same tables with other columns.
      const live = mayHaveChanged ? await this.schema() : undefined
      mayHaveChanged = true
      for (const { table, columns } of changes) {
        const known = new Set([...(live?.get(table)?.keys() ?? [])].map((name) => name.toLowerCase()))
        await this.#add(table, live ? columns.filter(({ name }) => !known.has(name.toLowerCase())) : columns)
      }
    })
  }

  /** @param change runs statements, all or none. What is in the way of a change keeps the type, and so does a lost connection, which the next statement finds. */
  async retype(
    retypings: readonly Retyping[],
    change: (statements: readonly Statement[]) => Promise<void>,
  ): Promise<boolean> {
    let hasChanged = false
    for (const retyping of retypings)
      hasChanged =
        (await this.#retype(retyping, change).catch((error: unknown) => {
          if (error instanceof WarehouseError) return false
          throw error
        })) || hasChanged
    return hasChanged
  }

  async #retype(
    { table, column, to }: Retyping,
    change: (statements: readonly Statement[]) => Promise<void>,
  ): Promise<boolean> {
    const name = this.#dialect.nameOf(table)
    const { statements, isLossy } = this.#dialect.retyped?.(name, this.#dialect.quoted(column), to) ?? {}
    if (statements === undefined) return false
    const [size] = await this.#client.rows(sql`select count(*) as n from ${name}`)
    if (!(Number(size?.['n']) <= retypedRowsMax)) return false
    const lossy = isLossy && (await this.#client.rows(sql`select 1 as n from ${name} where ${isLossy} limit 1`))
    if (lossy && lossy.length > 0) return false
    await change(statements)
    return true
  }

  async erase(erasure: Erasure): Promise<readonly ErasedUser[]> {
    const schema = await this.schema()
    return eraseUsers(this.#erasureStore(schema), schema, erasure)
  }

  async search(search: Search): Promise<readonly ErasedUser[]> {
    const schema = await this.schema()
    return findUsers(this.#erasureStore(schema), schema, search)
  }

  #erasureStore(schema: LiveSchema): ErasureStore {
    const { cased, quoted, nameOf, erasure } = this.#dialect
    const rows = (statement: Statement) => this.#client.rows(statement)
    return createSqlStore({ sql: { cased, quoted, ...erasure }, schema, nameOf, rows })
  }

  async #create({ table, columns }: TableChange): Promise<void> {
    const { nameOf, quoted, createTable, cased } = this.#dialect
    const dated = columns.find(({ name, type }) => name === cased('received_at') && type === 'datetime')
    const definitions = columns.map((column) => this.#definition(column)).join(', ')
    await this.#client.rows(createTable(nameOf(table), definitions, dated && quoted(dated.name)))
  }

  async #add(table: string, columns: TableChange['columns']): Promise<void> {
    if (columns.length === 0) return
    const definitions = columns.map((column) => this.#definition(column))
    for (const each of this.#dialect.addColumns(this.#dialect.nameOf(table), definitions)) await this.#client.rows(each)
  }

  #definition({ name, type }: TableChange['columns'][number]): string {
    return `${this.#dialect.quoted(name)} ${this.#dialect.nativeTypeOf(type)}`
  }
}
