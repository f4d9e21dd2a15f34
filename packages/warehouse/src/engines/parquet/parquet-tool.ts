import { duckdbProblem } from '../duckdb/duckdb-problem.ts'
import { type DuckDBValue, loadDuckDB } from '../duckdb/load-duckdb.ts'

/** Reads and writes Parquet files, with a DuckDB in memory. */
export interface ParquetTool {
  run(sql: string, values?: readonly DuckDBValue[]): Promise<void>
  rows(sql: string, values?: readonly DuckDBValue[]): Promise<readonly Readonly<Record<string, unknown>>[]>
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
    rows: (sql, values = []) =>
      named(
        async () =>
          (await connection.runAndReadAll(sql, [...values])).getRowObjectsJson() as readonly Readonly<
            Record<string, unknown>
          >[],
      ),
    close() {
      connection.disconnectSync()
      instance.closeSync()
    },
  }
}
