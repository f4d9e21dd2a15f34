import { duckdbProblem } from '../duckdb/duckdb-problem.ts'
import { type DuckDBConnection, type DuckDBValue, loadDuckDB } from '../duckdb/load-duckdb.ts'

/** Reads and writes Parquet files, with a DuckDB in memory. */
export interface ParquetTool {
  run(sql: string, values?: readonly DuckDBValue[]): Promise<void>
  /** Makes a table of ids for conditions. */
  ids(table: string, ids: readonly string[]): Promise<void>
  /** Returns the first column of a query on a local file; nothing when it lacks one of the columns. */
  texts(sql: string, file: string, columns: readonly string[]): Promise<readonly string[]>
  /**
   * Writes a file without the rows for which one of the conditions is true. `left` is how many rows it has; `ids` are those
   * of the others, where they have some.
   */
  without(
    file: string,
    target: string,
    conditions: readonly string[],
  ): Promise<{ readonly removed: number; readonly left: number; readonly ids: readonly string[] }>
  close(): void
}

export async function openParquetTool(): Promise<ParquetTool> {
  const { DuckDBInstance } = await loadDuckDB()
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '512MB' })
  const connection = await instance.connect()
  const named = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      throw duckdbProblem(error, 'for Parquet files')
    }
  }
  return {
    run: (sql, values = []) => named(async () => void (await connection.run(sql, [...values]))),
    ids: (table, ids) =>
      named(async () => {
        await connection.run(
          `create or replace temp table ${table} as select unnest(from_json(?, '["VARCHAR"]')) as id`,
          [JSON.stringify(ids)],
        )
      }),
    texts: (sql, file, columns) =>
      named(async () => {
        const has = await columnsOf(connection, file)
        if (!columns.every((column) => has.has(column))) return []
        const rows = (await connection.runAndReadAll(sql, [file])).getRowObjectsJson()
        return rows.map((row) => Object.values(row)[0]).filter((value) => typeof value === 'string')
      }),
    without: (file, target, conditions) =>
      named(async () => {
        const has = await columnsOf(connection, file)
        const own = conditions.filter((condition) => has.has(/^"((?:[^"]|"")+)"/.exec(condition)?.[1] ?? ''))
        if (own.length === 0) return { removed: 0, left: -1, ids: [] }
        const belongs = `coalesce(${own.join(' or ')}, false)`
        const [counted] = (
          await connection.runAndReadAll(
            `select count(*) filter (where ${belongs})::int as removed, count(*)::int as total from read_parquet(?)`,
            [file],
          )
        ).getRowObjectsJson() as readonly { readonly removed: number; readonly total: number }[]
        const { removed = 0, total = 0 } = counted ?? {}
        if (removed > 0 && removed < total)
          await connection.run(
            `copy (select * from read_parquet(?, hive_partitioning = false) where not ${belongs})
             to '${target.replaceAll("'", "''")}' (format parquet, compression zstd)`,
            [file],
          )
        const found =
          removed > 0 && has.has('id')
            ? (
                await connection.runAndReadAll(`select id::varchar as id from read_parquet(?) where ${belongs}`, [file])
              ).getRowObjectsJson()
            : []
        return { removed, left: total - removed, ids: found.map((row) => String((row as { id: unknown }).id)) }
      }),
    close() {
      connection.disconnectSync()
      instance.closeSync()
    },
  }
}

async function columnsOf(connection: DuckDBConnection, file: string): Promise<ReadonlySet<string>> {
  const rows = (
    await connection.runAndReadAll('select name from parquet_schema(?)', [file])
  ).getRowObjectsJson() as readonly { readonly name: string }[]
  return new Set(rows.map(({ name }) => name))
}
