import { randomUUID } from 'node:crypto'
import type { LiveSchema, TableChange } from '../../evolve/live-schema.ts'
import type { Retyping } from '../../evolve/retyping.ts'
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
import { Bound, type Statement, sql } from '../sql/statement.ts'
import type { CloudClient } from './cloud-client.ts'
import type { CloudDialect } from './cloud-dialect.ts'
import { besideOthers, CloudTables, loadsTable, stagedTable } from './cloud-tables.ts'
import { stagedChunks } from './staged-chunks.ts'
import { writeTable } from './write-table.ts'

/** Place of the description of a load among its staged rows; those of its tables follow. */
const descriptionPart = 0

/**
 * A namespace of a cloud product that takes statements over HTTP. Rows are first inserted into one table as JSON, a few
 * megabytes at a time. Then the tables are written from there, in one transaction with the id of the load.
 *
 * These products enforce no unique ids, so a transaction begins with an update of one row, which makes transactions with
 * ids wait for each other, or fail. What it writes depends on whether it was the first with its id.
 *
 * Where a transaction has no room for all tables, or is one statement, the others are written one by one before it, and
 * the id last: a load that is repeated after a failure in between replaces the rows it has written.
 */
export class CloudSession implements WarehouseSession {
  readonly #client: CloudClient
  readonly #dialect: CloudDialect
  readonly #tables: CloudTables
  #isPrepared = false

  constructor(client: CloudClient, dialect: CloudDialect) {
    this.#client = client
    this.#dialect = dialect
    this.#tables = new CloudTables(client, dialect)
  }

  async close(): Promise<void> {}

  schema(): Promise<LiveSchema> {
    return this.#tables.schema()
  }

  async evolve(changes: readonly TableChange[]): Promise<readonly RefusedName[]> {
    await this.#prepare()
    await this.#tables.evolve(changes)
    return []
  }

  async load({ loadId, destinationId, tables }: PreparedLoad): Promise<void> {
    await this.#prepare()
    if ((await this.#stateOf(loadId)) !== undefined) throw new AlreadySettledError(loadId)
    const attempt = randomUUID()
    const count = tables.reduce((sum, { rowCount }) => sum + rowCount, 0)
    await this.#stage(attempt, descriptionPart, { columns: [], rows: () => [[loadId, destinationId, count]] })
    const filled = tables.filter(({ rowCount }) => rowCount > 0)
    for (const [place, table] of filled.entries()) await this.#stage(attempt, place + 1, table)
    const isFirst = ` and exists (select 1 from ${this.#own(loadsTable)} l where l.attempt = '${attempt}')`
    const outside = Math.max(0, filled.length - (this.#client.transaction?.tablesMax ?? 0))
    const writes = filled.map((table, place) => {
      const condition = place < outside ? '' : isFirst
      return writeTable(table, `${this.#stagedRows(attempt, place + 1)}${condition}`, this.#dialect)
    })
    for (const write of writes.slice(0, outside)) await this.#client.rows(write)
    await this.#settle(attempt, 'loaded', writes.slice(outside))
    const state = await this.#stateOf(loadId)
    await this.#sweep(attempt)
    if (state?.attempt !== attempt) throw new AlreadySettledError(loadId)
  }

  /** Without transactions, only rows that their repetition replaces are written, and they stay. */
  async tryOut({ tables }: PreparedLoad): Promise<void> {
    await this.#prepare()
    const { transaction } = this.#client
    const tried = tables.filter(({ rowCount, mode }) => rowCount > 0 && (transaction || mode !== 'append'))
    const attempt = randomUUID()
    try {
      for (const [place, table] of tried.entries()) await this.#stage(attempt, place + 1, table)
      const writes = tried.map((table, place) => writeTable(table, this.#stagedRows(attempt, place + 1), this.#dialect))
      if (transaction === undefined) for (const write of writes) await this.#client.rows(write)
      else
        for (let from = 0; from < writes.length; from += transaction.tablesMax)
          await transaction.tryOut(writes.slice(from, from + transaction.tablesMax))
    } finally {
      await this.#sweep(attempt)
    }
  }

  retype(retypings: readonly Retyping[]): Promise<boolean> {
    return this.#tables.retype(retypings, async (statements) => {
      for (const statement of statements) await this.#client.rows(statement)
    })
  }

  erase(erasure: Erasure): Promise<readonly ErasedUser[]> {
    return this.#tables.erase(erasure)
  }

  search(search: Search): Promise<readonly ErasedUser[]> {
    return this.#tables.search(search)
  }

  async settle(loadId: string): Promise<boolean> {
    await this.#prepare()
    const before = await this.#stateOf(loadId)
    if (before !== undefined) return before.state === 'loaded'
    const attempt = randomUUID()
    await this.#stage(attempt, descriptionPart, { columns: [], rows: () => [[loadId, null, null]] })
    await this.#settle(attempt, 'void', [])
    const after = await this.#stateOf(loadId)
    await this.#sweep(attempt)
    return after?.state === 'loaded'
  }

  async #stage(attempt: string, part: number, staged: Pick<PreparedTable, 'columns' | 'rows'>): Promise<void> {
    for (const chunk of stagedChunks(staged))
      await this.#client.rows(
        sql`insert into ${this.#own(stagedTable)} (attempt, part, staged_at, data) select '${attempt}', ${String(part)}, current_timestamp(), e.data from (${this.#dialect.elementsOf(sql`${new Bound(chunk)}`)}) e`,
      )
  }

  #stagedRows(attempt: string, part: number): string {
    return `${this.#own(stagedTable)} where attempt = '${attempt}' and part = ${part}`
  }

  /** Notes the load with its state, unless there is one with its id, and writes its tables. */
  async #settle(attempt: string, state: 'loaded' | 'void', writes: readonly Statement[]): Promise<void> {
    const { staged } = this.#dialect
    const described = `select ${staged(0, 'string')} as id, ${staged(1, 'string')} as destination_id, ${staged(2, 'int')} as row_count from ${this.#stagedRows(attempt, descriptionPart)}`
    const note = sql`merge into ${this.#own(loadsTable)} l using (${described}) s on l.id = s.id when not matched then insert (id, state, attempt, destination_id, loaded_at, row_count) values (s.id, '${state}', '${attempt}', s.destination_id, current_timestamp(), s.row_count)`
    const takeTurn = sql`update ${this.#own(loadsTable)} set loaded_at = current_timestamp() where id = ''`
    await (this.#client.transaction?.run([takeTurn, note, ...writes]) ?? this.#client.rows(note))
  }

  /** Deletes staged rows of an attempt, and those that failed loads have left. What fails is left to the next load. */
  async #sweep(attempt: string): Promise<void> {
    const old = `attempt = '${attempt}' or staged_at < ${this.#dialect.dayAgo}`
    await this.#client.rows(sql`delete from ${this.#own(stagedTable)} where ${old}`).catch(() => {})
  }

  async #stateOf(loadId: string): Promise<{ readonly state: string; readonly attempt: string } | undefined> {
    const [found] = await this.#client.rows(
      sql`select state, attempt from ${this.#own(loadsTable)} where id = ${new Bound(loadId)}`,
    )
    return found && { state: found['state'] ?? '', attempt: found['attempt'] ?? '' }
  }

  async #prepare(): Promise<void> {
    if (this.#isPrepared || (await this.#tables.has(loadsTable, stagedTable))) {
      this.#isPrepared = true
      return
    }
    const { createNamespace, own } = this.#dialect
    const { text, integer, time, stagedRow } = own
    const loads = `id ${text}, state ${text}, attempt ${text}, destination_id ${text}, loaded_at ${time}, row_count ${integer}`
    const staged = `attempt ${text}, part ${integer}, staged_at ${time}, data ${stagedRow}`
    await besideOthers(async () => {
      await this.#client.rows(createNamespace)
      await this.#client.rows(sql`create table if not exists ${this.#own(loadsTable)} (${loads})`)
      await this.#client.rows(sql`create table if not exists ${this.#own(stagedTable)} (${staged})`)
      // The row by which transactions wait for each other.
      await this.#client.rows(
        sql`merge into ${this.#own(loadsTable)} l using (select '' as id) s on l.id = s.id when not matched then insert (id, state) values (s.id, 'turn')`,
      )
    })
    this.#isPrepared = true
  }

  #own(name: string): string {
    return this.#dialect.nameOf(this.#dialect.cased(name))
  }
}
