import { queryDuckDB } from './query-duckdb.ts'
import { type QueryReply, type QueryRequest, resultCharsMax } from './query-request.ts'
import { requireAllowedSql } from './require-allowed-sql.ts'

/** The main file of a process that runs one query and ends. What it uses up is its own, and it prints nothing. */
const bytesMax = 1_200_000_000
/** How often the size of the process is looked at, in milliseconds. */
const lookMs = 50

const answer = (reply: QueryReply): void => {
  // The process must not end before the reply is sent.
  process.send?.(reply, () => process.exit(0))
}

setInterval(() => {
  // Results are not part of DuckDB's own limit.
  if (process.memoryUsage.rss() > bytesMax) process.exit(1)
}, lookMs)
process.on('disconnect', () => process.exit(0))
process.once('message', async ({ path, sql, rowsMax }: QueryRequest) => {
  try {
    await requireAllowedSql(sql)
    const text = JSON.stringify(await queryDuckDB(path, sql, { rowsMax }))
    answer(text.length > resultCharsMax ? { kind: 'tooLarge' } : { kind: 'rows', text })
  } catch (error) {
    const { message, code } = error as { readonly message?: unknown; readonly code?: unknown }
    answer({ kind: 'failed', message: String(message ?? error), code: String(code ?? 'QUERY_FAILED') })
  }
})
