import { eraseUsers } from '../../erase/erase-users.ts'
import type { ErasureStore } from '../../erase/erasure-store.ts'
import { findUsers } from '../../erase/find-users.ts'
import { createSqlStore } from '../../erase/sql-store.ts'
import type { LiveColumn, LiveSchema, TableChange } from '../../evolve/live-schema.ts'
import type { Retyping } from '../../evolve/retyping.ts'
import { grouped, inTransactions, type TransactionLimits } from '../../load/in-transactions.ts'
import { retypedRowsMax } from '../../load/plan/retypings.ts'
import type { RefusedName } from '../../load/plan/taken-names.ts'
import type {
  ErasedUser,
  Erasure,
  PreparedLoad,
  PreparedTable,
  Search,
  WarehouseSession,
} from '../../load/warehouse.ts'
import { AlreadySettledError } from '../../load/warehouse-error.ts'
import { quoted, quotedList } from '../sql/quoted.ts'
import { type Statement, sql } from '../sql/statement.ts'
import { duckdbErasure, duckdbStatement, erasureQuery, erasureRows } from './duckdb-erasure.ts'
import type { ColumnsMax } from './duckdb-memory.ts'
import { duckdbProblem, isRefusedName } from './duckdb-problem.ts'
import { liveColumnOf, nativeTypeOf } from './duckdb-types.ts'
import type { DuckDBConnection, DuckDBValue } from './load-duckdb.ts'
import type { Rewriting } from './rewriting.ts'
import { eachStagingFile, filesOf, sharingRowsMax, stagedRows, stagedTableIndex, stagedValue } from './staging-files.ts'

interface DuckDBSessionOptions {
  /** The connection of the file that is open now. */
  connection(): DuckDBConnection
  readonly columnsMax: ColumnsMax
  readonly namespace: string
  /** For messages. */
  readonly path: string
  /** Runs a deletion, and writes the file again when it has changed anything. */
  readonly rewriting: Rewriting
  close(): Promise<void>
}

const tablesMax = 200

/** The table of loads, in the same namespace as the rows. */
const loadsTable = 'sluice_loads'

/** An open DuckDB file. */
export class DuckDBSession implements WarehouseSession {
  readonly #options: DuckDBSessionOptions
  /** With the name of the database, because the file and the namespace may have the same one. */
  #schema: string
  #isPrepared = false

  constructor(options: DuckDBSessionOptions) {
    this.#options = options
    this.#schema = quoted(options.namespace)
  }

  get columnsMax(): number {
    return this.#options.columnsMax.ofTable
  }

  /** Whether it has created anything in the file. */
  get hasWritten(): boolean {
    return this.#isPrepared
  }

  close(): Promise<void> {
    return this.#options.close()
  }

  /** Without views: they show rows of tables, so nothing is written to them, or deleted from them. */
  async schema(): Promise<LiveSchema> {
    const rows = await this.#rows<{ table_name: string; column_name: string; data_type: string }>(
      `select table_name, column_name, data_type from duckdb_columns()
       where schema_name = ? and database_name = current_database() and not internal and table_name not in (
         select view_name from duckdb_views() where schema_name = ? and database_name = current_database())
       order by table_name, column_index`,
      [this.#options.namespace, this.#options.namespace],
    )
    const tables = new Map<string, Map<string, LiveColumn>>()
    for (const { table_name: table, column_name: name, data_type: native } of rows) {
      const columns = tables.get(table) ?? new Map<string, LiveColumn>()
      tables.set(table, columns.set(name, liveColumnOf(native)))
    }
    tables.delete(loadsTable)
    return tables
  }

  async evolve(changes: readonly TableChange[]): Promise<readonly RefusedName[]> {
    await this.#prepare()
    const views = await this.#views()
    // DuckDB takes a view for the table that is not to be created again.
    const refused: RefusedName[] = changes
      .filter(({ table }) => views.has(table.toLowerCase()))
      .map(({ table }) => ({ table, reason: `DuckDB ${this.#options.path}: the name ${table} belongs to a view.` }))
    const possible = changes.filter(({ table }) => !views.has(table.toLowerCase()))
    for (const part of grouped(possible, this.#transactionLimits, ({ columns }) => columns.length))
      try {
        await this.#transaction(async () => {
          for (const change of part) await this.#change(change)
        })
        // A column that is added to a table with rows has values in memory.
        if (part.some(({ isNew }) => !isNew)) await this.#checkpoint()
      } catch (error) {
        if (!isRefusedName(error)) throw error
        for (const change of part) refused.push(...(await this.#changeSlowly(change)))
      }
    return refused
  }

  /** Names of views, in lower case. */
  async #views(): Promise<ReadonlySet<string>> {
    const rows = await this.#rows<{ name: string }>(
      'select view_name as name from duckdb_views() where schema_name = ? and database_name = current_database()',
      [this.#options.namespace],
    )
    return new Set(rows.map(({ name }) => name.toLowerCase()))
  }

  /** Adds columns one by one, to learn which names are refused. */
  async #changeSlowly(change: TableChange): Promise<readonly RefusedName[]> {
    const { table, columns } = change
    const refused: RefusedName[] = []
    let isThere = !change.isNew
    for (const column of columns)
      try {
        await this.#change({ table, isNew: !isThere, columns: [column] })
        isThere = true
      } catch (error) {
        if (!isRefusedName(error)) throw error
        refused.push({ table, column: column.name, reason: error.message })
      }
    return isThere ? refused : [{ table, reason: refused[0]?.reason ?? '' }]
  }

  async #change({ table, isNew, columns }: TableChange): Promise<void> {
    const name = this.#nameOf(table)
    const defined = columns.map((column) => `${quoted(column.name)} ${nativeTypeOf(column.type)}`)
    // No primary key: a search for the ids of a load is cheaper than an index of all.
    if (isNew) await this.#run(`create table if not exists ${name} (${defined.join(', ')})`)
    else for (const each of defined) await this.#run(`alter table ${name} add column if not exists ${each}`)
  }

  async retype(retypings: readonly Retyping[]): Promise<boolean> {
    await this.#prepare()
    let hasChanged = false
    for (const retyping of retypings) hasChanged = (await this.#retype(retyping).catch(() => false)) || hasChanged
    return hasChanged
  }

  /** @returns whether the column has changed: its table is not large, and no value is in the way. */
  async #retype({ table, column, to }: Retyping): Promise<boolean> {
    const [size] = await this.#rows<{ rows: string }>(
      `select estimated_size as rows from duckdb_tables()
       where schema_name = ? and table_name = ? and database_name = current_database()`,
      [this.#options.namespace, table],
    )
    if (size === undefined || Number(size.rows) > retypedRowsMax) return false
    const name = this.#nameOf(table)
    const lossy = lossyValues(quoted(column), to)
    if (lossy && (await this.#rows(`select 1 from ${name} where ${lossy} limit 1`)).length > 0) return false
    await this.#run(`alter table ${name} alter column ${quoted(column)} type ${nativeTypeOf(to)}`)
    return true
  }

  async load({ loadId, destinationId, at, tables }: PreparedLoad): Promise<void> {
    await this.#prepare()
    const { before, last } = inTransactions(tables, this.#transactionLimits)
    await this.#requireUnsettled(loadId)
    for (const part of before) {
      await this.#transaction(() => this.#writeAll(part))
      await this.#checkpoint()
    }
    await this.#transaction(async () => {
      await this.#requireUnsettled(loadId)
      const rows = tables.reduce((sum, { rowCount }) => sum + rowCount, 0)
      await this.#run(`insert into ${this.#nameOf(loadsTable)} values (?, 'loaded', ?, ?::timestamp, ?)`, [
        loadId,
        destinationId,
        new Date(at).toISOString(),
        rows,
      ])
      await this.#writeAll(last)
    })
  }

  #writeAll(tables: readonly PreparedTable[]): Promise<void> {
    return eachStagingFile(filesOf(tables), async ([table, ...others], file) => {
      if (table === undefined) return
      if (others.length === 0 && table.mode === 'append') return this.#append(table, stagedRows(file), [file.path])
      // Rows are read several times, so they are read from the file once.
      await this.#run(
        `create or replace temp table staged as select ${stagedTableIndex} as part, r from ${stagedRows(file)}`,
        [file.path],
      )
      for (const [index, each] of [table, ...others].entries()) await this.#write(each, `staged where part = ${index}`)
    })
  }

  /** What a transaction may hold. */
  get #transactionLimits(): TransactionLimits {
    return { tablesMax, columnsMax: this.#options.columnsMax.ofTransaction }
  }

  /** Writes what was committed to the file. Otherwise it stays in memory until the log of changes has some 16 MB. */
  async #checkpoint(): Promise<void> {
    await this.#run('checkpoint')
  }

  async #requireUnsettled(loadId: string): Promise<void> {
    if ((await this.#stateOf(loadId)) !== undefined) throw new AlreadySettledError(loadId)
  }

  async tryOut({ tables }: PreparedLoad): Promise<void> {
    await this.#prepare()
    const { before, last } = inTransactions(tables, this.#transactionLimits)
    for (const part of [...before, last]) {
      await this.#run('begin')
      try {
        await this.#writeAll(part)
      } finally {
        await this.#options
          .connection()
          .run('rollback')
          .catch(() => {})
      }
    }
  }

  async settle(loadId: string): Promise<boolean> {
    await this.#prepare()
    const state = await this.#stateOf(loadId)
    if (state !== undefined) return state === 'loaded'
    await this.#run(`insert into ${this.#nameOf(loadsTable)} values (?, 'void', null, null, null)`, [loadId])
    return false
  }

  async erase(erasure: Erasure): Promise<readonly ErasedUser[]> {
    await this.#qualify()
    const schema = await this.schema()
    if (schema.size === 0) return erasure.userIds.map(() => ({ tables: [] }))
    return this.#options.rewriting(async () => {
      let changed = 0
      const store = this.#erasureStore(schema, async (name, condition) => {
        const { text, values } = duckdbStatement(sql`delete from ${name} where ${condition}`)
        changed += await this.#run(text, values)
      })
      const erased = await eraseUsers(store, schema, erasure, (work) => this.#transaction(work))
      return { result: erased, hasChanged: changed > 0 }
    })
  }

  async search(search: Search): Promise<readonly ErasedUser[]> {
    await this.#qualify()
    const schema = await this.schema()
    return findUsers(this.#erasureStore(schema), schema, search)
  }

  #erasureStore(schema: LiveSchema, remove?: (name: string, condition: Statement) => Promise<void>): ErasureStore {
    return createSqlStore({
      sql: duckdbErasure,
      schema,
      nameOf: (table) => this.#nameOf(table),
      rows: async (statement) => {
        const query = erasureQuery(statement)
        return erasureRows(await this.#rows(query.text, query.values))
      },
      delete: remove,
    })
  }

  /** @param from where staged rows are, in SQL. */
  async #append(table: PreparedTable, from: string, values: readonly DuckDBValue[] = []): Promise<void> {
    const names = quotedList(table.columns.map(({ name }) => name))
    await this.#run(`insert into ${this.#nameOf(table.table)} (${names}) ${rowsFrom(table, from)}`, values)
  }

  async #write(prepared: PreparedTable, from: string): Promise<void> {
    const { table, columns, key, mode, since } = prepared
    if (mode === 'append') return this.#append(prepared, from)
    const name = this.#nameOf(table)
    const names = quotedList(columns.map((column) => column.name))
    const rows = rowsFrom(prepared, from)
    const id = quoted(key)
    if (mode === 'update') {
      const others = columns.map((column) => column.name).filter((column) => column !== key)
      const set = others.map((column) => `${quoted(column)} = ${newValue(column, others)}`).join(', ')
      if (set !== '') await this.#run(`update ${name} as t set ${set} from (${rows}) s where t.${id} = s.${id}`)
      await this.#run(
        `insert into ${name} (${names}) select ${names} from (${rows}) s
         where not exists (select 1 from ${name} t where t.${id} = s.${id})`,
      )
      return
    }
    const window = since === undefined ? '' : ` and t."received_at" >= '${since}'::timestamp`
    if (prepared.rowCount <= sharingRowsMax) {
      const { ids, type } = idsOf(prepared)
      await this.#run(`delete from ${name} as t where t.${id} in (${ids.map(() => `?::${type}`).join()})${window}`, ids)
    } else await this.#run(`delete from ${name} as t using (${rows}) s where t.${id} = s.${id}${window}`)
    await this.#append(prepared, from)
  }

  async #prepare(): Promise<void> {
    if (this.#isPrepared) return
    await this.#qualify()
    // What a process that ended has left in the log of changes is in memory since the file was opened.
    await this.#checkpoint()
    await this.#run(`create schema if not exists ${this.#schema}`)
    await this.#run(
      `create table if not exists ${this.#nameOf(loadsTable)}
       (id varchar primary key, state varchar not null, destination_id varchar, loaded_at timestamp, row_count bigint)`,
    )
    this.#isPrepared = true
  }

  async #qualify(): Promise<void> {
    const [found] = await this.#rows<{ name: string }>('select current_database() as name')
    this.#schema = `${quoted(found?.name ?? '')}.${quoted(this.#options.namespace)}`
  }

  async #stateOf(loadId: string): Promise<string | undefined> {
    const [found] = await this.#rows<{ state: string }>(`select state from ${this.#nameOf(loadsTable)} where id = ?`, [
      loadId,
    ])
    return found?.state
  }

  #nameOf(table: string): string {
    return `${this.#schema}.${quoted(table)}`
  }

  async #transaction(work: () => Promise<void>): Promise<void> {
    await this.#run('begin')
    try {
      await work()
      await this.#run('commit')
    } catch (error) {
      await this.#options
        .connection()
        .run('rollback')
        .catch(() => {})
      throw error
    }
  }

  /** @returns how many rows it changed. */
  async #run(text: string, values: readonly DuckDBValue[] = []): Promise<number> {
    try {
      return (await this.#options.connection().run(text, [...values])).rowsChanged
    } catch (error) {
      throw duckdbProblem(error, this.#options.path)
    }
  }

  async #rows<Row>(text: string, values: readonly DuckDBValue[] = []): Promise<readonly Row[]> {
    try {
      return (await this.#options.connection().runAndReadAll(text, [...values])).getRowObjectsJson() as readonly Row[]
    } catch (error) {
      throw duckdbProblem(error, this.#options.path)
    }
  }
}

/** The ids of rows, and the type of their column. For a few rows, a list of them is found faster than by a join. */
function idsOf({ columns, key, rows }: PreparedTable): { readonly ids: string[]; readonly type: string } {
  const at = columns.findIndex(({ name }) => name === key)
  const ids = [...rows()].flatMap((row) => (row[at] === null || row[at] === undefined ? [] : [String(row[at])]))
  return { ids: ids.length > 0 ? ids : [''], type: nativeTypeOf(columns[at]?.type ?? 'string') }
}

/** Staged rows of a table, with the names of its columns. */
function rowsFrom({ columns }: PreparedTable, from: string): string {
  const values = columns.map(({ name, type }, at) => `${stagedValue(at, nativeTypeOf(type))} as ${quoted(name)}`)
  return `select ${values.join(', ')} from ${from}`
}

/** The newest value counts; a row that was received before the one that is there only fills what is empty. */
function newValue(column: string, columns: readonly string[]): string {
  const name = quoted(column)
  const newest = `coalesce(s.${name}, t.${name})`
  if (!columns.includes('received_at')) return newest
  return `case when s."received_at" < t."received_at" then coalesce(t.${name}, s.${name}) else ${newest} end`
}

/** Returns a condition for rows whose value the new type does not have; undefined where there are none. */
function lossyValues(column: string, to: Retyping['to']): string | undefined {
  if (to === 'string') return undefined
  if (to === 'float') return `${column}::double::hugeint <> ${column}`
  return `not regexp_full_match(${column}, '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z')`
}
