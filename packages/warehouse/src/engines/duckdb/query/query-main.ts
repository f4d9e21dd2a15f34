import { Socket } from 'node:net'
import { duckdbProblem } from '../duckdb-problem.ts'
import { type QueryReply, type QueryRequest, rowsDescriptor } from './query-request.ts'
import { streamQuery } from './stream-query.ts'

/** The main file of a process that runs one query and ends. What it uses up is its own, and it prints nothing. */
const bytesMax = 1_200_000_000
/** How often the size of the process is looked at, in milliseconds. */
const lookMs = 50

const rows = new Socket({ fd: rowsDescriptor })
const write = (bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => rows.write(bytes, (error) => (error ? reject(error) : resolve())))

const answer = (reply: QueryReply): void => {
  // The process must not end before the rows and the reply are sent.
  rows.end(() => process.send?.(reply, () => process.exit(0)))
}

setInterval(() => {
  // Results are not part of DuckDB's own limit.
  if (process.memoryUsage.rss() > bytesMax) process.exit(1)
}, lookMs)
process.on('disconnect', () => process.exit(0))
// The one that started this one may have ended before.
if (!process.connected) process.exit(0)
process.once('message', async (request: QueryRequest) => {
  try {
    answer(await streamQuery(request, write))
  } catch (error) {
    const { message, code } = duckdbProblem(error, request.path)
    answer({ kind: 'failed', message, code })
  }
})
