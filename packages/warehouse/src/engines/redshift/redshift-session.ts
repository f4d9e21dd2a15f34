import type { Client } from 'pg'
import type { LiveSchema, TableChange } from '../../evolve/live-schema.ts'
import type { Retyping } from '../../evolve/retyping.ts'
import type { RefusedName } from '../../load/plan/taken-names.ts'
import type { ErasedUser, Erasure, PreparedLoad, Search, WarehouseSession } from '../../load/warehouse.ts'
import { AlreadySettledError } from '../../load/warehouse-error.ts'
import type { CloudRow } from '../cloud/cloud-client.ts'
import { besideOthers, CloudTables, loadsTable } from '../cloud/cloud-tables.ts'
import { textOf } from '../sql/statement.ts'
import { redshiftDialect } from './redshift-dialect.ts'
import { redshiftProblem } from './redshift-problem.ts'
import { stageRows, stageTable, writeStaged } from './redshift-rows.ts'

/**
 * A connection to a namespace of Redshift. Rows are first inserted into temporary tables, which end with the connection.
 * Transactions with ids of loads lock the table of loads, because Redshift enforces no unique ids.
 */
export class RedshiftSession implements WarehouseSession {
  readonly #client: Client
  readonly #place: string
  readonly #loads: string
  readonly #createSchema: string
  readonly #dialect: ReturnType<typeof redshiftDialect>
  readonly #tables: CloudTables
  readonly close: () => Promise<void>

  constructor(client: Client, namespace: string, place: string, close: () => Promise<void>) {
    this.#client = client
    this.#place = place
    this.#dialect = redshiftDialect(namespace)
    this.#loads = this.#dialect.nameOf(loadsTable)
    this.#createSchema = `create schema if not exists ${this.#dialect.quoted(namespace)}`
    const rows = {
      rows: (statement: Parameters<typeof textOf>[0]) => this.#query(textOf(statement, parameter), statement.values),
    }
    this.#tables = new CloudTables(rows, this.#dialect)
    this.close = close
  }

  schema(): Promise<LiveSchema> {
    return this.#tables.schema()
  }

  async evolve(changes: readonly TableChange[]): Promise<readonly RefusedName[]> {
    await this.#prepare()
    await this.#tables.evolve(changes)
    return []
  }

  async load({ loadId, destinationId, at, tables }: PreparedLoad): Promise<void> {
    await this.#prepare()
    const filled = tables.filter(({ rowCount }) => rowCount > 0)
    for (const [place, table] of filled.entries()) {
      await this.#query(stageTable(stageOf(place), table))
      for (const { text, values } of stageRows(stageOf(place), table)) await this.#query(text, values)
    }
    await this.#alone(async () => {
      if ((await this.#stateOf(loadId)) !== undefined) throw new AlreadySettledError(loadId)
      const count = tables.reduce((sum, { rowCount }) => sum + rowCount, 0)
      await this.#query(
        `insert into ${this.#loads} (id, state, destination_id, loaded_at, row_count) values ($1, 'loaded', $2, $3, $4)`,
        [loadId, destinationId, new Date(at).toISOString(), String(count)],
      )
      for (const [place, table] of filled.entries())
        for (const text of writeStaged(stageOf(place), table, this.#dialect)) await this.#query(text)
    })
  }

  async tryOut({ tables }: PreparedLoad): Promise<void> {
    await this.#prepare()
    await this.#transaction(async () => {
      for (const [place, table] of tables.filter(({ rowCount }) => rowCount > 0).entries()) {
        // Those of the load that has failed are still there.
        const stage = `sluice_trial_${place}`
        await this.#query(stageTable(stage, table))
        for (const { text, values } of stageRows(stage, table)) await this.#query(text, values)
        for (const text of writeStaged(stage, table, this.#dialect)) await this.#query(text)
      }
    }, 'rollback')
  }

  retype(retypings: readonly Retyping[]): Promise<boolean> {
    return this.#tables.retype(retypings, (statements) =>
      this.#transaction(async () => {
        for (const statement of statements) await this.#query(textOf(statement, parameter), statement.values)
      }),
    )
  }

  async settle(loadId: string): Promise<boolean> {
    await this.#prepare()
    let state: string | undefined
    await this.#alone(async () => {
      state = await this.#stateOf(loadId)
      if (state === undefined) await this.#query(`insert into ${this.#loads} (id, state) values ($1, 'void')`, [loadId])
    })
    return state === 'loaded'
  }

  async erase(erasure: Erasure): Promise<readonly ErasedUser[]> {
    return this.#tables.erase(erasure)
  }

  search(search: Search): Promise<readonly ErasedUser[]> {
    return this.#tables.search(search)
  }

  /** Runs work in a transaction that waits for others with ids of loads. */
  #alone(work: () => Promise<void>): Promise<void> {
    return this.#transaction(async () => {
      await this.#query(`lock ${this.#loads}`)
      await work()
    })
  }

  async #transaction(work: () => Promise<void>, end: 'commit' | 'rollback' = 'commit'): Promise<void> {
    await this.#query('begin')
    try {
      await work()
      await this.#query(end)
    } catch (error) {
      await this.#client.query('rollback').catch(() => {})
      throw error
    }
  }

  async #stateOf(loadId: string): Promise<string | undefined> {
    const [found] = await this.#query(`select state from ${this.#loads} where id = $1`, [loadId])
    return found && (found['state'] ?? '')
  }

  async #prepare(): Promise<void> {
    if (await this.#tables.has(loadsTable)) return
    await besideOthers(async () => {
      await this.#query(this.#createSchema)
      await this.#query(
        `create table if not exists ${this.#loads} (id varchar(256), state varchar(16), destination_id varchar(256), loaded_at timestamptz, row_count bigint)`,
      )
    })
    await this.#tables.schema()
  }

  async #query(text: string, values: readonly (string | null)[] = []): Promise<readonly CloudRow[]> {
    try {
      const { rows } = await this.#client.query<Record<string, unknown>>(text, [...values])
      return rows.map((row) =>
        Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value == null ? null : String(value)])),
      )
    } catch (error) {
      throw redshiftProblem(error, this.#place)
    }
  }
}

const parameter = (place: number): string => `$${place}`
const stageOf = (place: number): string => `sluice_stage_${place}`
