import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Client } from 'pg'
import { eraseUsers } from '../../erase/erase-users.ts'
import type { ErasureStore } from '../../erase/erasure-store.ts'
import { findUsers } from '../../erase/find-users.ts'
import { createSqlStore } from '../../erase/sql-store.ts'
import type { LiveColumn, LiveSchema, NewColumn, TableChange } from '../../evolve/live-schema.ts'
import type { Retyping } from '../../evolve/retyping.ts'
import { grouped, inTransactions } from '../../load/in-transactions.ts'
import { retypedRowsMax } from '../../load/plan/retypings.ts'
import type { RefusedName } from '../../load/plan/taken-names.ts'
import type {
  ErasedUser,
  Erasure,
  PreparedLoad,
  PreparedTable,
  Search,
  Warehouse,
  WarehouseSession,
} from '../../load/warehouse.ts'
import { AlreadySettledError } from '../../load/warehouse-error.ts'
import { quoted, quotedList } from '../sql/quoted.ts'
import { textOf } from '../sql/statement.ts'
import { rowOfTexts } from '../sql/text-row.ts'
import { copyLine } from './copy-line.ts'
import { loadPg } from './load-pg.ts'
import { type OpenOptions, openClient, type PostgresServer } from './open-client.ts'
import { postgresErasure } from './postgres-erasure.ts'
import { isRefusedName, postgresProblem } from './postgres-problem.ts'
import { liveColumnOf, nativeTypeOf } from './postgres-types.ts'
import { isKept, retypedColumn } from './retyped-column.ts'

export interface PostgresSettings extends PostgresServer {
  /** The schema for the tables. */
  readonly namespace: string
}

export interface PostgresOptions extends OpenOptions {
  /** Longest time of one statement; default 10 minutes. */
  readonly statementMs?: number
  /** Longest wait for the lock of a table; default 30 seconds. */
  readonly lockMs?: number
}

/** An entry of an index has at most 2,704 bytes, and a character at most four. */
const keyLengthMax = 650
/** Bytes of text that are handed to the server at a time. */
const chunkLength = 64 * 1024

/** A PostgreSQL database as a warehouse. Tables have at most 1,600 columns; wide rows may fit fewer. */
export function createPostgresWarehouse(settings: PostgresSettings, options: PostgresOptions = {}): Warehouse {
  const { statementMs = 600_000, lockMs = 30_000 } = options
  const place = `PostgreSQL ${settings.host}:${settings.port}/${settings.database}`
  return {
    limits: {
      columnsMax: 1_600,
      keyLengthMax,
      nameLengthMax: 63,
      ignoresCase: false,
      retypesTo: ['string', 'float', 'datetime'],
    },
    async connect(signal) {
      const timeouts = { statement_timeout: statementMs, lock_timeout: lockMs }
      const { client, close } = await openClient(settings, { ...options, ...timeouts }, signal).catch(
        (error: unknown) => {
          signal.throwIfAborted()
          throw postgresProblem(error, place)
        },
      )
      return new PostgresSession(client, settings.namespace, place, close)
    },
  }
}

class PostgresSession implements WarehouseSession {
  readonly #client: Client
  readonly #namespace: string
  readonly #schema: string
  readonly #place: string
  readonly close: () => Promise<void>

  constructor(client: Client, namespace: string, place: string, close: () => Promise<void>) {
    this.#client = client
    this.#namespace = namespace
    this.#schema = quoted(namespace)
    this.#place = place
    this.close = close
  }

  async schema(): Promise<LiveSchema> {
    const rows = await this.#query<ColumnRow>(
      `select c.relname as table, a.attname as name, t.typname as type, a.atttypmod as modifier,
         format_type(a.atttypid, a.atttypmod) as native
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
         join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
       where n.nspname = $1 and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
       order by c.relname, a.attnum`,
      [this.#namespace],
    )
    const tables = new Map<string, Map<string, LiveColumn>>()
    for (const { table, name, type, native, modifier } of rows) {
      const columns = tables.get(table) ?? new Map<string, LiveColumn>()
      tables.set(table, columns.set(name, liveColumnOf(type, native, modifier)))
    }
    tables.delete(loadsTable)
    return tables
  }

  async evolve(changes: readonly TableChange[]): Promise<readonly RefusedName[]> {
    const refused: RefusedName[] = []
    for (const part of grouped(changes, transactionLimits, ({ columns }) => columns.length))
      try {
        await this.#transaction(() => this.#changeAll(part))
      } catch (error) {
        if (!isRefusedName(error)) throw error
        // One by one, which takes longer, to learn which names they are.
        await this.#transaction(async () => {
          await this.#createSchema()
          for (const change of part) refused.push(...(await this.#changeSlowly(change)))
        })
      }
    return refused
  }

  async #changeAll(changes: readonly TableChange[]): Promise<void> {
    await this.#createSchema()
    for (const { table, isNew, key, columns } of changes) {
      if (isNew) await this.#query(this.#createTable(table, columns, key))
      // Also of a new table: another process may have created it with other columns.
      if (columns.length > 0) await this.#query(this.#addColumns(table, columns))
    }
  }

  async #changeSlowly({ table, isNew, key, columns }: TableChange): Promise<readonly RefusedName[]> {
    const keys = columns.filter(({ name }) => name === key)
    if (isNew) {
      const reason = await this.#refusal(this.#createTable(table, keys, key))
      if (reason !== undefined) return [{ table, reason }]
    }
    const [kind] = await this.#query<{ kind: string }>(
      'select relkind as kind from pg_class where oid = to_regclass($1)',
      [this.#nameOf(table)],
    )
    if (kind?.kind !== 'r' && kind?.kind !== 'p')
      return [{ table, reason: `${this.#place}: the name ${table} belongs to something that is no table.` }]
    const refused: RefusedName[] = []
    for (const column of columns) {
      const reason = await this.#refusal(this.#addColumns(table, [column]))
      if (reason !== undefined) refused.push({ table, column: column.name, reason })
    }
    return refused
  }

  /** Runs a statement of a transaction. @returns why the server refuses the name in it, undefined when it does not. */
  async #refusal(statement: string): Promise<string | undefined> {
    await this.#query('savepoint sluice_name')
    try {
      await this.#query(statement)
    } catch (error) {
      if (!isRefusedName(error)) throw error
      await this.#query('rollback to savepoint sluice_name')
      return error.message
    }
    await this.#query('release savepoint sluice_name')
    return undefined
  }

  #createTable(table: string, columns: readonly NewColumn[], key: string | undefined): string {
    const primary = key === undefined ? [] : [`primary key (${quoted(key)})`]
    return `create table if not exists ${this.#nameOf(table)} (${[...columns.map(defined), ...primary].join(', ')})`
  }

  #addColumns(table: string, columns: readonly NewColumn[]): string {
    const added = columns.map((column) => `add column if not exists ${defined(column)}`)
    return `alter table ${this.#nameOf(table)} ${added.join(', ')}`
  }

  async retype(retypings: readonly Retyping[]): Promise<boolean> {
    let hasChanged = false
    for (const retyping of retypings) hasChanged = (await this.#retype(retyping).catch(isKept)) || hasChanged
    return hasChanged
  }

  /** @returns true when the type was changed; false when the table is large, or a value does not fit. */
  async #retype({ table, column, to }: Retyping): Promise<boolean> {
    const name = this.#nameOf(table)
    const [size] = await this.#query<{ is_large: boolean }>(
      'select reltuples > $2 as is_large from pg_class where oid = to_regclass($1)',
      [name, retypedRowsMax],
    )
    if (size?.is_large !== false) return false
    const { type, value, isLossy } = retypedColumn(quoted(column), to)
    const isIn = isLossy && (await this.#query(`select 1 from ${name} where ${isLossy} limit 1`)).length > 0
    if (isIn) return false
    await this.#query(`alter table ${name} alter column ${quoted(column)} type ${type} using ${value}`)
    return true
  }

  async load({ loadId, destinationId, at, tables }: PreparedLoad): Promise<void> {
    await this.#createLoads()
    const { before, last } = inTransactions(tables, transactionLimits)
    if (before.length > 0) await this.#requireUnsettled(loadId)
    for (const part of before) await this.#transaction(() => this.#writeAll(part))
    await this.#transaction(async () => {
      const rows = tables.reduce((sum, { rowCount }) => sum + rowCount, 0)
      const isFirst = await this.#query(
        `insert into ${this.#nameOf(loadsTable)} (id, state, destination_id, loaded_at, row_count)
         values ($1, 'loaded', $2, $3, $4) on conflict do nothing returning id`,
        [loadId, destinationId, new Date(at), rows],
      )
      if (isFirst.length === 0) throw new AlreadySettledError(loadId)
      await this.#writeAll(last)
    })
  }

  async #writeAll(tables: readonly PreparedTable[]): Promise<void> {
    const keyed = await this.#uniqueKeys()
    for (const [index, table] of tables.entries()) await this.#write(table, `sluice_stage_${index}`, keyed)
  }

  async #requireUnsettled(loadId: string): Promise<void> {
    const found = await this.#query(`select 1 from ${this.#nameOf(loadsTable)} where id = $1`, [loadId])
    if (found.length > 0) throw new AlreadySettledError(loadId)
  }

  async tryOut({ tables }: PreparedLoad): Promise<void> {
    const { before, last } = inTransactions(tables, transactionLimits)
    for (const part of [...before, last]) {
      await this.#query('begin')
      try {
        await this.#writeAll(part)
      } finally {
        await this.#client.query('rollback').catch(() => {})
      }
    }
  }

  async settle(loadId: string): Promise<boolean> {
    await this.#createLoads()
    // Waits for a transaction with this id that has not ended.
    const voided = await this.#query(
      `insert into ${this.#nameOf(loadsTable)} (id, state) values ($1, 'void') on conflict do nothing returning id`,
      [loadId],
    )
    if (voided.length > 0) return false
    const [found] = await this.#query<{ state: string }>(
      `select state from ${this.#nameOf(loadsTable)} where id = $1`,
      [loadId],
    )
    return found?.state === 'loaded'
  }

  async erase(erasure: Erasure): Promise<readonly ErasedUser[]> {
    const schema = await this.schema()
    return eraseUsers(this.#erasureStore(schema), schema, erasure, (work) => this.#transaction(work))
  }

  async search(search: Search): Promise<readonly ErasedUser[]> {
    const schema = await this.schema()
    return findUsers(this.#erasureStore(schema), schema, search)
  }

  #erasureStore(schema: LiveSchema): ErasureStore {
    return createSqlStore({
      sql: postgresErasure,
      schema,
      nameOf: (table) => this.#nameOf(table),
      rows: async (statement) => {
        const text = textOf(statement, (place) => `$${place}`)
        return (await this.#query<Readonly<Record<string, unknown>>>(text, statement.values)).map(rowOfTexts)
      },
    })
  }

  async #write(prepared: PreparedTable, stage: string, keyed: ReadonlySet<string>): Promise<void> {
    const { table, columns, key, mode, since } = prepared
    const name = this.#nameOf(table)
    const names = quotedList(columns.map((column) => column.name))
    if (mode === 'append') return this.#copy(prepared, name, names)
    await this.#query(`create temp table ${stage} on commit drop as select ${names} from ${name} limit 0`)
    await this.#copy(prepared, stage, names)
    const id = quoted(key)
    if (keyed.has(`${table}.${key}`)) {
      const others = columns.map((column) => column.name).filter((column) => column !== key)
      const set = others.map((column) => `${quoted(column)} = ${newValue(column, mode, others)}`)
      const action = set.length === 0 ? 'nothing' : `update set ${set.join(', ')}`
      await this.#query(
        `insert into ${name} as t (${names}) select ${names} from ${stage} on conflict (${id}) do ${action}`,
      )
      return
    }
    const window = since === undefined ? '' : ` and t."received_at" >= '${since}'::timestamptz`
    await this.#query(`delete from ${name} as t using ${stage} s where t.${id} = s.${id}${window}`)
    await this.#query(`insert into ${name} (${names}) select ${names} from ${stage}`)
  }

  async #copy({ columns, rows }: PreparedTable, target: string, names: string): Promise<void> {
    function* chunks(): Generator<string> {
      let text = ''
      for (const row of rows()) {
        text += copyLine(row, columns)
        if (text.length < chunkLength) continue
        yield text
        text = ''
      }
      yield text
    }
    try {
      const { copyFrom } = await loadPg()
      await pipeline(Readable.from(chunks()), this.#client.query(copyFrom(`copy ${target} (${names}) from stdin`)))
    } catch (error) {
      throw postgresProblem(error, this.#place)
    }
  }

  /** Tables and columns with a unique index of their own, as `table.column`. */
  async #uniqueKeys(): Promise<ReadonlySet<string>> {
    const rows = await this.#query<{ key: string }>(
      `select c.relname || '.' || a.attname as key
       from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
         join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
       where n.nspname = $1 and i.indisunique and i.indnkeyatts = 1 and i.indpred is null and i.indexprs is null`,
      [this.#namespace],
    )
    return new Set(rows.map(({ key }) => key))
  }

  async #createSchema(): Promise<void> {
    // Two processes that create the same thing at once would fail.
    await this.#query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`sluice ${this.#namespace}`])
    const known = await this.#query('select 1 from pg_namespace where nspname = $1', [this.#namespace])
    // Only then, because the right to create schemas is needed for `if not exists` as well.
    if (known.length === 0) await this.#query(`create schema ${this.#schema}`)
  }

  async #createLoads(): Promise<void> {
    const [found] = await this.#query<{ is_there: boolean }>('select to_regclass($1) is not null as is_there', [
      this.#nameOf(loadsTable),
    ])
    if (found?.is_there) return
    await this.#transaction(async () => {
      await this.#createSchema()
      await this.#query(
        `create table if not exists ${this.#nameOf(loadsTable)} (id text primary key, state text not null,
         destination_id text, loaded_at timestamp with time zone, row_count bigint)`,
      )
    })
  }

  #nameOf(table: string): string {
    return `${this.#schema}.${quoted(table)}`
  }

  async #transaction(work: () => Promise<void>): Promise<void> {
    await this.#query('begin')
    try {
      await work()
      await this.#query('commit')
    } catch (error) {
      await this.#client.query('rollback').catch(() => {})
      throw error
    }
  }

  async #query<Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    try {
      const { rows } = await this.#client.query(text, [...values])
      return rows as readonly Row[]
    } catch (error) {
      throw postgresProblem(error, this.#place)
    }
  }
}

/** A table, its key and what belongs to it take four locks. A server has room for 6,400 by default, in all sessions. */
const transactionLimits = { tablesMax: 300, columnsMax: 30_000 }

/** The table of loads, in the same namespace as the rows. */
const loadsTable = 'sluice_loads'

interface ColumnRow {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly native: string
  readonly modifier: number
}

function defined({ name, type }: NewColumn): string {
  return `${quoted(name)} ${nativeTypeOf(type)}`
}

/** The newest value counts; a row that was received before the one that is there only fills what is empty. */
function newValue(column: string, mode: PreparedTable['mode'], columns: readonly string[]): string {
  const name = quoted(column)
  if (mode === 'replace') return `excluded.${name}`
  const newest = `coalesce(excluded.${name}, t.${name})`
  if (!columns.includes('received_at')) return newest
  return `case when excluded."received_at" < t."received_at" then coalesce(t.${name}, excluded.${name}) else ${newest} end`
}
