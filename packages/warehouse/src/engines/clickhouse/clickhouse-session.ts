import { eraseUsers } from '../../erase/erase-users.ts'
import type { ErasureStore } from '../../erase/erasure-store.ts'
import { findUsers } from '../../erase/find-users.ts'
import { createSqlStore } from '../../erase/sql-store.ts'
import type { ColumnValue } from '../../evolve/cast-value.ts'
import type { LiveColumn, LiveSchema, TableChange } from '../../evolve/live-schema.ts'
import type { Retyping } from '../../evolve/retyping.ts'
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
import { beyondFloat } from '../sql/beyond-float.ts'
import { quotedWithBackslashes as quoted } from '../sql/quoted.ts'
import { type Statement, sql, textOf } from '../sql/statement.ts'
import { rowOfTexts } from '../sql/text-row.ts'
import { wellFormedJson } from '../sql/well-formed-json.ts'
import type { ClickhouseClient } from './clickhouse-client.ts'
import { clickhouseErasure } from './clickhouse-erasure.ts'
import { liveColumnOf, nativeTypeOf, writtenValue } from './clickhouse-types.ts'

/** The table of loads, in the same database as the rows. */
const loadsTable = 'sluice_loads'
/** Rows and characters of one insert. */
const rowsPerInsert = 100_000
const charactersPerInsert = 32 * 1024 * 1024
/** Waits until a deletion has ended on all replicas. */
const untilDeleted = { mutations_sync: '2' }

/**
 * A ClickHouse database. It has no transactions: rows are inserted first, and the id of the load last. When a load is
 * repeated after a failure in between, tables with a key keep one row per id, because they are ReplacingMergeTrees:
 * duplicates vanish when parts are merged, and with `final` in a query.
 */
export class ClickhouseSession implements WarehouseSession {
  readonly #client: ClickhouseClient
  readonly #database: string
  #isPrepared = false
  #trials = 0

  constructor(client: ClickhouseClient, database: string) {
    this.#client = client
    this.#database = database
  }

  async close(): Promise<void> {}

  async schema(): Promise<LiveSchema> {
    const rows = await this.#client.rows<{ table: string; name: string; type: string }>(
      'select table, name, type from system.columns where database = {db:String} order by table, position',
      { db: this.#database },
    )
    const tables = new Map<string, Map<string, LiveColumn>>()
    for (const { table, name, type } of rows) {
      const columns = tables.get(table) ?? new Map<string, LiveColumn>()
      tables.set(table, columns.set(name, liveColumnOf(type)))
    }
    tables.delete(loadsTable)
    return tables
  }

  async evolve(changes: readonly TableChange[]): Promise<readonly RefusedName[]> {
    await this.#prepare()
    for (const { table, isNew, key, columns } of changes) {
      const define = ({ name, type }: TableChange['columns'][number]): string =>
        `${quoted(name)} ${nativeTypeOf(type, name === key || name === 'uuid_ts')}`
      if (isNew) {
        const version = columns.some(({ name }) => name === 'uuid_ts') ? '(uuid_ts)' : ''
        const engine =
          key === undefined ? 'MergeTree order by tuple()' : `ReplacingMergeTree${version} order by ${quoted(key)}`
        await this.#client.run(
          `create table if not exists ${this.#nameOf(table)} (${columns.map(define).join(', ')}) engine = ${engine}`,
        )
      }
      // Also of a new table: another process may have created it with other columns.
      const added = columns.map((column) => `add column if not exists ${define(column)}`)
      if (added.length > 0) await this.#client.run(`alter table ${this.#nameOf(table)} ${added.join(', ')}`)
    }
    return []
  }

  async load({ loadId, destinationId, at, tables }: PreparedLoad): Promise<void> {
    await this.#prepare()
    if ((await this.#stateOf(loadId)) !== undefined) throw new AlreadySettledError(loadId)
    let rows = 0
    for (const table of tables) {
      rows += table.rowCount
      if (table.rowCount > 0) await this.#insert(table, loadId)
    }
    const loadedAt = new Date(at).toISOString()
    await this.#note({
      id: loadId,
      state: 'loaded',
      destination_id: destinationId,
      loaded_at: loadedAt,
      row_count: rows,
    })
  }

  /** There are no transactions: only rows that their repetition replaces are written, and they stay. */
  async tryOut({ loadId, tables }: PreparedLoad): Promise<void> {
    this.#trials += 1
    for (const table of tables)
      if (table.rowCount > 0 && table.mode !== 'append') await this.#insert(table, `${loadId} trial ${this.#trials}`)
  }

  async retype(retypings: readonly Retyping[]): Promise<boolean> {
    let hasChanged = false
    for (const retyping of retypings) hasChanged = (await this.#retype(retyping)) || hasChanged
    return hasChanged
  }

  /** A column of a key keeps its type, and so does what the user may not change; a lost connection is found by the next statement. */
  async #retype({ table, column, to }: Retyping): Promise<boolean> {
    const [name, place] = [quoted(column), this.#nameOf(table)]
    try {
      const [found] = await this.#client.rows<{ n: number; lossy: number }>(
        `select count() as n, ${to === 'float' ? `countIf(${beyondFloat(name)})` : '0'} as lossy from ${place}`,
      )
      if (found === undefined || Number(found.n) > retypedRowsMax || Number(found.lossy) > 0) return false
      await this.#client.run(`alter table ${place} modify column ${name} ${nativeTypeOf(to, false)}`, {}, undefined, {
        // Waits until it has ended.
        alter_sync: '2',
      })
      return true
    } catch (error) {
      if (error instanceof WarehouseError) return false
      throw error
    }
  }

  async settle(loadId: string): Promise<boolean> {
    await this.#prepare()
    const state = await this.#stateOf(loadId)
    if (state !== undefined) return state === 'loaded'
    await this.#note({ id: loadId, state: 'void' })
    return false
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
    const written = (statement: Statement) => ({
      text: textOf(statement, (place) => `{p${place}:String}`),
      params: Object.fromEntries(statement.values.map((value, at) => [`p${at + 1}`, escaped(value)])),
    })
    return createSqlStore({
      sql: clickhouseErasure,
      schema,
      nameOf: (table) => this.#nameOf(table),
      rows: async (statement) => {
        const { text, params } = written(statement)
        return (await this.#client.rows<Readonly<Record<string, unknown>>>(text, params)).map(rowOfTexts)
      },
      delete: (name, condition) => {
        const { text, params } = written(sql`alter table ${name} delete where ifNull(${condition}, 0)`)
        return this.#client.run(text, params, undefined, untilDeleted)
      },
    })
  }

  async #insert(table: PreparedTable, loadId: string): Promise<void> {
    const names = table.columns.map(({ name }) => quoted(name)).join(', ')
    const rows = table.mode === 'update' ? await this.#filled(table) : table.rows()
    let part = 0
    for (const body of linesOf(rows, table)) {
      part += 1
      await this.#client.run(`insert into ${this.#nameOf(table.table)} (${names}) format JSONEachRow`, {}, body, {
        date_time_input_format: 'best_effort',
        // The same insert, repeated, is dropped by tables that remember inserts.
        insert_deduplication_token: `${loadId} ${table.table} ${part}`,
      })
    }
  }

  /** A row takes the place of another one whole, so columns without a value get the one that is there. */
  async #filled({ table, columns, key, rows }: PreparedTable): Promise<readonly (readonly ColumnValue[])[]> {
    const all = [...rows()]
    const keyAt = columns.findIndex(({ name }) => name === key)
    const receivedAt = columns.findIndex(({ name }) => name === 'received_at')
    const known = await this.#client.rows<Readonly<Record<string, ColumnValue>>>(
      `select * from ${this.#nameOf(table)} final where ${quoted(key)} in {ids:Array(String)}`,
      { ids: arrayOf(all.map((row) => String(row[keyAt]))) },
    )
    const byKey = new Map(known.map((row) => [row[key], row]))
    return all.map((row) => {
      const before = byKey.get(row[keyAt] ?? null)
      if (before === undefined) return row
      const old = before['received_at']
      const isLate = receivedAt !== -1 && typeof old === 'string' && Date.parse(String(row[receivedAt])) < timeOf(old)
      return row.map((value, at) => {
        const kept = before[columns[at]?.name ?? ''] ?? null
        if (columns[at]?.name === 'uuid_ts') return value
        return isLate ? (kept ?? value) : (value ?? kept)
      })
    })
  }

  async #prepare(): Promise<void> {
    if (this.#isPrepared) return
    await this.#client.run(`create database if not exists ${quoted(this.#database)}`)
    await this.#client.run(
      `create table if not exists ${this.#nameOf(loadsTable)} (id String, state String, destination_id Nullable(String),
         loaded_at Nullable(DateTime64(3, 'UTC')), row_count Nullable(Int64)) engine = MergeTree order by id`,
    )
    this.#isPrepared = true
  }

  /** The first state counts: nothing is changed here afterwards. */
  async #stateOf(loadId: string): Promise<string | undefined> {
    const [found] = await this.#client.rows<{ state: string }>(
      `select state from ${this.#nameOf(loadsTable)} where id = {id:String} limit 1`,
      { id: loadId },
    )
    return found?.state
  }

  async #note(row: Readonly<Record<string, string | number>>): Promise<void> {
    const names = Object.keys(row).map(quoted).join(', ')
    await this.#client.run(
      `insert into ${this.#nameOf(loadsTable)} (${names}) format JSONEachRow`,
      {},
      `${JSON.stringify(row)}\n`,
      { date_time_input_format: 'best_effort' },
    )
  }

  #nameOf(table: string): string {
    return `${quoted(this.#database)}.${quoted(table)}`
  }
}

/** Times come without a zone, and are UTC. */
function timeOf(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}Z`)
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r', '\0': '\\0' }

/** Returns a text as the value of a parameter of the type String. */
function escaped(text: string): string {
  return text.replaceAll(/[\\\n\t\r\0]/g, (found) => escapes[found] ?? '')
}

/** Returns texts as the value of a parameter of the type Array(String). */
function arrayOf(texts: readonly string[]): string {
  const elements = texts.map((text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`)
  return `[${elements.join(',')}]`
}

/** Rows as lines of JSON, as many at a time as an insert should have. */
function* linesOf(rows: Iterable<readonly ColumnValue[]>, { columns }: PreparedTable): Generator<string> {
  let text = ''
  let count = 0
  for (const row of rows) {
    const members = row.flatMap((value, at) => {
      const { name = '', type = 'string' } = columns[at] ?? {}
      return value === null ? [] : [`${JSON.stringify(name)}:${JSON.stringify(writtenValue(value, type))}`]
    })
    text += wellFormedJson(`{${members.join(',')}}\n`)
    count += 1
    if (count < rowsPerInsert && text.length < charactersPerInsert) continue
    yield text
    text = ''
    count = 0
  }
  if (text !== '') yield text
}
