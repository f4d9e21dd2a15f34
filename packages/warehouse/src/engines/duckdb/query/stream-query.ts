import { quoted } from '../../sql/quoted.ts'
import { loadDuckDB } from '../load-duckdb.ts'
import { closedOff } from './closed-off.ts'
import { readOwnTables } from './own-tables.ts'
import { type QueryReply, type QueryRequest, resultBytesMax } from './query-request.ts'
import { requireAllowedSql } from './require-allowed-sql.ts'

/**
 * Runs SQL of a person on a DuckDB file, and writes each row as it is read: neither DuckDB nor this process has all of them.
 *
 * @param write takes some bytes of JSON, and resolves when there is room for more.
 * @throws an error of DuckDB, or WarehouseError.
 */
export async function streamQuery(
  { path, namespace, sql, rowsMax }: QueryRequest,
  write: (bytes: Uint8Array) => Promise<void>,
): Promise<QueryReply> {
  const { DuckDBInstance, JsonDuckDBValueConverter: converter } = await loadDuckDB()
  const instance = await DuckDBInstance.create(path, closedOff)
  const connection = await instance.connect()
  try {
    const own = await readOwnTables(connection, namespace)
    await requireAllowedSql(connection, sql, own)
    // Names without a schema are looked for in it first.
    if (own.tables.size > 0) await connection.run(`use ${quoted(own.catalog)}.${quoted(namespace)}`)
    await connection.run('set lock_configuration = true')
    const start = performance.now()
    const result = await connection.stream(sql)
    const names = result.deduplicatedColumnNames()
    const types = result.columnTypes()
    const columns = names.map((name, index) => ({ name, type: String(types[index]) }))
    const rowsRead = (count: number, isCut: boolean): QueryReply => ({
      kind: 'rows',
      count,
      isCut,
      columns,
      tookMs: performance.now() - start,
    })
    let [count, length] = [0, 0]
    for await (const chunk of result)
      for (let at = 0; at < chunk.rowCount; at += 1) {
        if (count >= rowsMax) return rowsRead(count, true)
        const values = chunk.convertRowValues(at, converter)
        const row = JSON.stringify(Object.fromEntries(names.map((name, index) => [name, values[index]])))
        const bytes = Buffer.from(count === 0 ? row : `,${row}`)
        length += bytes.length
        if (length > resultBytesMax) return { kind: 'tooLarge' }
        await write(bytes)
        count += 1
      }
    return rowsRead(count, false)
  } finally {
    connection.disconnectSync()
    instance.closeSync()
  }
}
