/** Why tests of DuckDB are skipped; undefined when they run. */
export const noDuckDB = await import('@duckdb/node-api').then(
  () => undefined,
  (error: Error) => {
    process.stdout.write(`tests of DuckDB skipped: ${error.message.split('\n', 1)[0]}\n`)
    return error.message
  },
)

/** Runs a statement in a DuckDB file. @returns its rows, with small whole numbers as numbers. */
export async function queryDuckDB(path: string, sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const instance = await DuckDBInstance.create(path)
  try {
    const connection = await instance.connect()
    const { columnTypes, rows } = await connection
      .runAndReadAll(sql)
      .then((reader) => ({ columnTypes: reader.columnTypes(), rows: reader.getRowObjectsJson() }))
      // The file stays open as long as there is a connection.
      .finally(() => connection.disconnectSync())
    const isNumber = columnTypes.map((type) => ['BIGINT', 'DOUBLE', 'HUGEINT'].includes(String(type)))
    return rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value], at) => [name, isNumber[at] && value !== null ? Number(value) : value]),
      ),
    )
  } finally {
    instance.closeSync()
  }
}
