import type { Connection, ResultSetHeader, RowDataPacket } from 'mysql2/promise'
import { eraseUsers } from '../../erase/erase-users.ts'
import type { ErasureStore } from '../../erase/erasure-store.ts'
import { findUsers } from '../../erase/find-users.ts'
import { createSqlStore } from '../../erase/sql-store.ts'
import type { LiveColumn, LiveSchema, NewColumn, TableChange } from '../../evolve/live-schema.ts'
import type { Retyping } from '../../evolve/retyping.ts'
import { inTransactions } from '../../load/in-transactions.ts'
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
import { AlreadySettledError, WarehouseError } from '../../load/warehouse-error.ts'
import { quotedWithTicks as quoted } from '../sql/quoted.ts'
import { type Statement, sql, textOf } from '../sql/statement.ts'
import { rowOfTexts } from '../sql/text-row.ts'
import { mysqlErasure } from './mysql-erasure.ts'
import { isKept, isRefusedName, mysqlProblem } from './mysql-problem.ts'
import {
  keyLengthMax,
  keyTypeOf,
  liveColumnOf,
  nativeTypeOf,
  type ServerTypes,
  type ServerTypesRow,
  serverTypesOf,
  serverTypesQuery,
  tableCollation,
  writtenValue,
} from './mysql-types.ts'

interface MysqlSessionOptions {
  readonly connection: Connection
  readonly namespace: string
  /** For messages. */
  readonly place: string
  close(): Promise<void>
}

/** As for PostgreSQL: a table has locks and is kept open until the transaction ends. */
const transactionLimits = { tablesMax: 300, columnsMax: 30_000 }

/** For columns of other types. */
const withoutJson = { hasJson: false }

/** The table of loads, in the same database as the rows. */
const loadsTable = 'sluice_loads'
/** Rows of one statement, and characters of their values. */
const rowsPerStatement = 1_000
const charactersPerStatement = 1_000_000
/** Seconds to wait for another process that changes the tables. */
const changeWaitSeconds = 60
const tableOptions = `engine = InnoDB row_format = dynamic default character set utf8mb4 collate ${tableCollation}`

/** A connection to a MySQL or MariaDB server. */
export class MysqlSession implements WarehouseSession {
  readonly #options: MysqlSessionOptions
  #isPrepared = false
  #serverTypes: ServerTypes | undefined

  constructor(options: MysqlSessionOptions) {
    this.#options = options
  }

  close(): Promise<void> {
    return this.#options.close()
  }

  /** Without views: they show rows of tables, so nothing is written to them, or deleted from them. */
  async schema(): Promise<LiveSchema> {
    const rows = await this.#rows<ColumnRow>(
      `select table_name as tableName, column_name as columnName, column_type as native,
         character_maximum_length as length
       from information_schema.columns where table_schema = ? and table_name not in (
         select table_name from information_schema.tables
         where table_schema = ? and (table_type like '%VIEW' or table_type = 'SEQUENCE'))
       order by table_name, ordinal_position`,
      [this.#options.namespace, this.#options.namespace],
    )
    const tables = new Map<string, Map<string, LiveColumn>>()
    for (const { tableName, columnName, native, length } of rows) {
      const columns = tables.get(tableName) ?? new Map<string, LiveColumn>()
      tables.set(tableName, columns.set(columnName, liveColumnOf(native, length === null ? null : Number(length))))
    }
    tables.delete(loadsTable)
    return tables
  }

  async evolve(changes: readonly TableChange[]): Promise<readonly RefusedName[]> {
    await this.#prepare()
    const types = await this.#types()
    // Changes of tables end transactions, so a lock of its own keeps other processes apart.
    const lock = `sluice ${this.#options.namespace}`.slice(0, 64)
    const [taken] = await this.#rows<{ taken: number | null }>('select get_lock(?, ?) as taken', [
      lock,
      changeWaitSeconds,
    ])
    if (taken?.taken !== 1)
      throw new WarehouseError(
        `${this.#options.place}: another process has changed tables for ${changeWaitSeconds} s. The load is repeated.`,
        'LOCKED',
      )
    try {
      const refused: RefusedName[] = []
      for (const change of changes)
        try {
          await this.#change(change, types)
        } catch (error) {
          if (!isRefusedName(error)) throw error
          refused.push(...(await this.#changeSlowly(change, types)))
        }
      return refused
    } finally {
      await this.#rows('select release_lock(?)', [lock]).catch(() => [])
    }
  }

  async #change({ table, isNew, key, columns }: TableChange, types: ServerTypes): Promise<void> {
    const define = ({ name, type }: NewColumn): string =>
      `${quoted(name)} ${name === key ? keyTypeOf(types) : nativeTypeOf(type, types)}`
    // A key may be missing: an id that is too long for it is discarded.
    const unique = key === undefined ? [] : [`unique key (${quoted(key)})`]
    if (isNew)
      await this.#run(
        `create table if not exists ${this.#nameOf(table)} (${[...columns.map(define), ...unique].join(', ')}) ${tableOptions}`,
      )
    await this.#addColumns(table, columns, define)
  }

  /** Adds columns one by one, to learn which names are refused. */
  async #changeSlowly(change: TableChange, types: ServerTypes): Promise<readonly RefusedName[]> {
    const { table, key, columns } = change
    const refused: RefusedName[] = []
    const ordered = [...columns.filter(({ name }) => name === key), ...columns.filter(({ name }) => name !== key)]
    let isThere = !change.isNew
    for (const column of ordered)
      try {
        await this.#change({ ...change, isNew: !isThere, columns: [column] }, types)
        isThere = true
      } catch (error) {
        if (!isRefusedName(error)) throw error
        refused.push({ table, column: column.name, reason: error.message })
      }
    const isTaken = refused.length === columns.length && !(await this.schema()).has(table)
    return isTaken ? [{ table, reason: refused[0]?.reason ?? '' }] : refused
  }

  async retype(retypings: readonly Retyping[]): Promise<boolean> {
    let hasChanged = false
    for (const retyping of retypings) hasChanged = (await this.#retype(retyping).catch(isKept)) || hasChanged
    return hasChanged
  }

  /** @returns whether the column has changed: its table is not large, and no value is in the way. */
  async #retype({ table, column, from, to }: Retyping): Promise<boolean> {
    // Texts as Sluice writes times into them are none for the server.
    if (from !== 'int' && from !== 'boolean') return false
    const [known] = await this.#rows<{ rows: number | string; key: string }>(
      `select t.table_rows as \`rows\`, c.column_key as \`key\` from information_schema.tables t
         join information_schema.columns c on c.table_schema = t.table_schema and c.table_name = t.table_name
       where t.table_schema = ? and t.table_name = ? and c.column_name = ?`,
      [this.#options.namespace, table, column],
    )
    if (known === undefined || Number(known.rows) > retypedRowsMax) return false
    if (to === 'float' && known.key !== '') return false
    const [name, value] = [this.#nameOf(table), quoted(column)]
    if (from === 'boolean') return to === 'string' && known.key === '' && this.#spellBooleans(table, value)
    const lossy = `cast(cast(${value} as double) as decimal(65)) <> ${value}`
    const isLossy = to === 'float' && (await this.#rows(`select 1 from ${name} where ${lossy} limit 1`)).length > 0
    if (isLossy) return false
    // A key of texts has a length.
    const type = known.key === '' ? nativeTypeOf(to, withoutJson) : keyTypeOf(await this.#types())
    await this.#run(`alter table ${name} modify column ${value} ${type}`)
    return true
  }

  /**
   * Makes a column of booleans one of the texts `true` and `false`: they are numbers for the server, which would write `1`. A new column
   * takes the place of the old one in one statement, and no other session writes meanwhile. @param column quoted.
   */
  async #spellBooleans(table: string, column: string): Promise<boolean> {
    const [name, moved] = [this.#nameOf(table), 'sluice_retyped']
    await this.#run(`lock tables ${name} write`)
    try {
      if ((await this.#rows(`select 1 from ${name} where ${column} not in (0, 1) limit 1`)).length > 0) return false
      // Of a process that ended in between.
      const left = await this.#rows(
        'select 1 from information_schema.columns where table_schema = ? and table_name = ? and column_name = ?',
        [this.#options.namespace, table, moved],
      )
      if (left.length > 0) await this.#run(`alter table ${name} drop column ${moved}`)
      await this.#run(`alter table ${name} add column ${moved} ${nativeTypeOf('string', withoutJson)}`)
      await this.#run(`update ${name} set ${moved} = if(${column}, 'true', 'false') where ${column} is not null`)
      await this.#run(
        `alter table ${name} drop column ${column}, change column ${moved} ${column} ${nativeTypeOf('string', withoutJson)}`,
      )
      return true
    } finally {
      await this.#options.connection.query('unlock tables').catch(() => {})
    }
  }

  async load({ loadId, destinationId, at, tables }: PreparedLoad): Promise<void> {
    await this.#prepare()
    await this.#makeKeysExact(tables)
    const { before, last } = inTransactions(tables, transactionLimits)
    if (before.length > 0) await this.#requireUnsettled(loadId)
    for (const part of before) await this.#transaction(() => this.#writeAll(part))
    await this.#transaction(async () => {
      const rows = tables.reduce((sum, { rowCount }) => sum + rowCount, 0)
      const added = await this.#run(`insert ignore into ${this.#nameOf(loadsTable)} values (?, 'loaded', ?, ?, ?)`, [
        loadId,
        destinationId,
        writtenValue(new Date(at).toISOString(), 'datetime'),
        rows,
      ])
      if (added === 0) throw new AlreadySettledError(loadId)
      await this.#writeAll(last)
    })
  }

  async #writeAll(tables: readonly PreparedTable[]): Promise<void> {
    const keyed = await this.#uniqueKeys()
    for (const table of tables) await this.#write(table, keyed)
  }

  async #requireUnsettled(loadId: string): Promise<void> {
    const found = await this.#rows(`select 1 from ${this.#nameOf(loadsTable)} where id = ?`, [loadId])
    if (found.length > 0) throw new AlreadySettledError(loadId)
  }

  async tryOut({ tables }: PreparedLoad): Promise<void> {
    await this.#prepare()
    const { before, last } = inTransactions(tables, transactionLimits)
    for (const part of [...before, last]) {
      await this.#run('start transaction')
      try {
        await this.#writeAll(part)
      } finally {
        await this.#options.connection.query('rollback').catch(() => {})
      }
    }
  }

  async settle(loadId: string): Promise<boolean> {
    await this.#prepare()
    // Waits for a transaction with this id that has not ended.
    const voided = await this.#run(
      `insert ignore into ${this.#nameOf(loadsTable)} values (?, 'void', null, null, null)`,
      [loadId],
    )
    if (voided > 0) return false
    const [found] = await this.#rows<{ state: string }>(`select state from ${this.#nameOf(loadsTable)} where id = ?`, [
      loadId,
    ])
    return found?.state === 'loaded'
  }

  async erase(erasure: Erasure): Promise<readonly ErasedUser[]> {
    const schema = await this.schema()
    // A deletion with an alias needs a database of the session.
    if (schema.size > 0) await this.#run(`use ${quoted(this.#options.namespace)}`)
    return eraseUsers(this.#erasureStore(schema), schema, erasure, (work) => this.#transaction(work))
  }

  async search(search: Search): Promise<readonly ErasedUser[]> {
    const schema = await this.schema()
    return findUsers(this.#erasureStore(schema), schema, search)
  }

  #erasureStore(schema: LiveSchema): ErasureStore {
    const written = (statement: Statement): string => textOf(statement, () => '?')
    return createSqlStore({
      sql: mysqlErasure,
      schema,
      nameOf: (table) => this.#nameOf(table),
      rows: async (statement) =>
        (await this.#rows<Readonly<Record<string, unknown>>>(written(statement), statement.values)).map(rowOfTexts),
      delete: (name, condition) => {
        // In this form, queries in the condition run once and not for every row.
        const statement = sql`delete t from ${name} t where ${condition}`
        return this.#run(written(statement), statement.values)
      },
    })
  }

  async #write(prepared: PreparedTable, keyed: ReadonlySet<string>): Promise<void> {
    const { table, columns, key, mode } = prepared
    const name = this.#nameOf(table)
    const names = columns.map((column) => quoted(column.name)).join(', ')
    const isKeyed = keyed.has(`${table}.${key}`)
    const update = mode === 'append' || !isKeyed ? '' : ` on duplicate key update ${assignments(prepared)}`
    const keyAt = columns.findIndex((column) => column.name === key)
    for (const rows of chunksOf(prepared)) {
      if (mode !== 'append' && !isKeyed)
        await this.#deleteIds(
          prepared,
          rows.map((row) => row[keyAt]),
        )
      await this.#run(`insert into ${name} (${names}) values ?${update}`, [rows])
    }
  }

  /**
   * Gives keys that earlier versions have made the collation that new ones get: what differs for the old one differs for the
   * new one, too. A large table keeps its own.
   */
  async #makeKeysExact(tables: readonly PreparedTable[]): Promise<void> {
    const types = await this.#types()
    if (types.keyCollation === tableCollation) return
    const found = await this.#rows<{ tableName: string; columnName: string }>(
      `select c.table_name as tableName, c.column_name as columnName from information_schema.columns c
         join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
       where c.table_schema = ? and c.table_name <> ? and c.column_key <> '' and c.column_type = 'varchar(${keyLengthMax})'
         and c.collation_name = '${tableCollation}' and t.table_rows <= ${retypedRowsMax}`,
      [this.#options.namespace, loadsTable],
    )
    const keys = new Map(tables.map(({ table, key }) => [table, key]))
    for (const { tableName, columnName } of found)
      if (keys.get(tableName) === columnName)
        await this.#run(
          `alter table ${this.#nameOf(tableName)} modify column ${quoted(columnName)} ${keyTypeOf(types)}`,
        ).catch(isKept)
  }

  /** In a table without a key, rows with the same ids are deleted before. Its collation may ignore case, or blanks at the end. */
  async #deleteIds({ table, key, since }: PreparedTable, ids: readonly unknown[]): Promise<void> {
    const window = since === undefined ? '' : ' and received_at >= ?'
    const given = ids.filter((id) => id !== null)
    const exactly = `${mysqlErasure.text(quoted(key), 'text')} in (?)`
    await this.#run(`delete from ${this.#nameOf(table)} where ${quoted(key)} in (?) and ${exactly}${window}`, [
      given,
      given.map((id) => Buffer.from(String(id))),
      ...(since === undefined ? [] : [writtenValue(since, 'datetime')]),
    ])
  }

  /** Adds columns that are missing: MySQL, unlike MariaDB, has no `if not exists` for them. */
  async #addColumns(
    table: string,
    columns: readonly NewColumn[],
    define: (column: NewColumn) => string,
  ): Promise<void> {
    const known = (await this.schema()).get(table)
    const has = new Set([...(known?.keys() ?? [])].map((name) => name.toLowerCase()))
    const missing = columns.filter(({ name }) => !has.has(name.toLowerCase()))
    if (missing.length === 0) return
    const added = missing.map((column) => `add column ${define(column)}`)
    await this.#run(`alter table ${this.#nameOf(table)} ${added.join(', ')}`)
  }

  /** Columns with a unique index of their own, as `table.column`. */
  async #uniqueKeys(): Promise<ReadonlySet<string>> {
    const rows = await this.#rows<{ name: string }>(
      `select concat(min(table_name), '.', min(column_name)) as name from information_schema.statistics
       where table_schema = ? and non_unique = 0 group by table_name, index_name having count(*) = 1`,
      [this.#options.namespace],
    )
    return new Set(rows.map(({ name }) => name))
  }

  async #types(): Promise<ServerTypes> {
    this.#serverTypes ??= serverTypesOf((await this.#rows<ServerTypesRow>(serverTypesQuery))[0])
    return this.#serverTypes
  }

  async #prepare(): Promise<void> {
    if (this.#isPrepared) return
    const { namespace } = this.#options
    const known = await this.#rows('select 1 from information_schema.schemata where schema_name = ?', [namespace])
    if (known.length === 0)
      await this.#run(
        `create database if not exists ${quoted(namespace)} character set utf8mb4 collate ${tableCollation}`,
      )
    await this.#run(
      `create table if not exists ${this.#nameOf(loadsTable)} (id varchar(${keyLengthMax}) primary key,
         state varchar(10) not null, destination_id varchar(255), loaded_at datetime(3), row_count bigint) ${tableOptions}`,
    )
    this.#isPrepared = true
  }

  #nameOf(table: string): string {
    return `${quoted(this.#options.namespace)}.${quoted(table)}`
  }

  async #transaction(work: () => Promise<void>): Promise<void> {
    await this.#run('start transaction')
    try {
      await work()
      await this.#run('commit')
    } catch (error) {
      await this.#options.connection.query('rollback').catch(() => {})
      throw error
    }
  }

  /** @returns how many rows it changed. */
  async #run(text: string, values: readonly unknown[] = []): Promise<number> {
    try {
      const [result] = await this.#options.connection.query<ResultSetHeader>(text, [...values])
      return result.affectedRows
    } catch (error) {
      throw mysqlProblem(error, this.#options.place)
    }
  }

  async #rows<Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    try {
      const [rows] = await this.#options.connection.query<RowDataPacket[]>(text, [...values])
      return rows as unknown as readonly Row[]
    } catch (error) {
      throw mysqlProblem(error, this.#options.place)
    }
  }
}

interface ColumnRow {
  readonly tableName: string
  readonly columnName: string
  readonly native: string
  readonly length: number | string | null
}

/** Rows as the driver writes them, as many at a time as a statement should have. */
function* chunksOf({ rows, columns }: PreparedTable): Generator<readonly (readonly unknown[])[]> {
  let chunk: unknown[][] = []
  let characters = 0
  for (const row of rows()) {
    const values = row.map((value, at) => writtenValue(value, columns[at]?.type ?? 'string'))
    chunk.push(values)
    for (const value of values) characters += typeof value === 'string' ? value.length + 4 : 8
    if (chunk.length < rowsPerStatement && characters < charactersPerStatement) continue
    yield chunk
    chunk = []
    characters = 0
  }
  if (chunk.length > 0) yield chunk
}

/** The newest value counts; a row that was received before the one that is there only fills what is empty. */
function assignments({ columns, key, mode }: PreparedTable): string {
  const names = columns.map((column) => column.name).filter((name) => name !== key)
  const isDated = names.includes('received_at')
  // Assignments see those before them, so the time that they compare is the last.
  const ordered = isDated ? [...names.filter((name) => name !== 'received_at'), 'received_at'] : names
  if (ordered.length === 0) return `${quoted(key)} = ${quoted(key)}`
  return ordered
    .map((name) => {
      const column = quoted(name)
      if (mode === 'replace') return `${column} = values(${column})`
      const newest = `coalesce(values(${column}), ${column})`
      if (!isDated) return `${column} = ${newest}`
      return `${column} = if(values(received_at) < received_at, coalesce(${column}, values(${column})), ${newest})`
    })
    .join(', ')
}
