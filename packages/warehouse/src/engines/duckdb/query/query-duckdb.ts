import { duckdbProblem } from '../duckdb-problem.ts'
import { loadDuckDB } from '../load-duckdb.ts'
import { takeTurn } from '../take-turn.ts'
import { closedOff, locked } from './closed-off.ts'

/** Whether DuckDB can be used here: its package is installed, and has a binary for this platform. */
export async function hasDuckDB(): Promise<boolean> {
  return loadDuckDB().then(
    () => true,
    () => false,
  )
}

interface DuckDBQueryOptions {
  /** Rows to return; further ones are left out. Default all. */
  readonly rowsMax?: number
  /** Longest time of the query, in milliseconds. Default without limit. */
  readonly timeMs?: number
}

/**
 * Runs a query on a DuckDB file between loads of this process. Do not open the file in another way in the process that
 * loads it: DuckDB keeps other processes out by a lock, which does not keep two instances of one process apart.
 *
 * @returns the rows; values of types that JSON does not have are texts. @throws WarehouseError.
 */
export async function queryDuckDB(
  path: string,
  sql: string,
  { rowsMax = Number.POSITIVE_INFINITY, timeMs }: DuckDBQueryOptions = {},
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const endTurn = await takeTurn(path)
  try {
    const { DuckDBInstance } = await loadDuckDB()
    const instance = await DuckDBInstance.create(path, { ...closedOff, ...locked })
    try {
      const connection = await instance.connect()
      const timer = timeMs === undefined ? undefined : setTimeout(() => connection.interrupt(), timeMs)
      try {
        const read =
          rowsMax === Number.POSITIVE_INFINITY
            ? connection.runAndReadAll(sql)
            : connection.streamAndReadUntil(sql, rowsMax)
        const rows = (await read).getRowObjectsJson() as readonly Readonly<Record<string, unknown>>[]
        return rows.slice(0, rowsMax)
      } finally {
        clearTimeout(timer)
        // An instance stays open, and its file locked, as long as it has a connection.
        connection.disconnectSync()
      }
    } finally {
      instance.closeSync()
    }
  } catch (error) {
    throw duckdbProblem(error, path)
  } finally {
    endTurn()
  }
}
