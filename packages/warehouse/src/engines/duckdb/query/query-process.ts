import { fork } from 'node:child_process'
import { WarehouseError } from '../../../load/warehouse-error.ts'
import { takeTurn } from '../take-turn.ts'
import { type QueryReply, type QueryRequest, resultCharsMax } from './query-request.ts'

export interface GuardedQuery extends QueryRequest {
  /** Longest time of the query, in milliseconds. */
  readonly timeMs: number
  /** Whose query it is (a workspace). */
  readonly owner: string
}

type Rows = readonly Readonly<Record<string, unknown>>[]

/** The compiled main file, even when this module runs from its source. */
const main = new URL(
  import.meta.url.endsWith('.ts') ? '../../../../dist/engines/duckdb/query/query-main.js' : './query-main.js',
  import.meta.url,
)
/** Queries of all owners at a time: each may take a gigabyte. An owner has one, so that none takes all. */
const queriesMax = 4
const running = new Set<string>()

/**
 * Runs SQL of a person on a DuckDB file, between loads of this process, in a process of its own: it may read the file and
 * nothing else, and is killed when it takes too long. A query that uses up its memory, or makes DuckDB abort, ends that
 * process only.
 *
 * @returns at most `rowsMax` rows. @throws WarehouseError, also when a query of the owner, or four of all owners, are running already.
 */
export async function queryInProcess({ timeMs, owner, ...request }: GuardedQuery): Promise<Rows> {
  if (running.has(owner) || running.size >= queriesMax)
    throw new WarehouseError('Another query is running; try again when it is done.', 'QUERY_BUSY')
  running.add(owner)
  const endTurn = await takeTurn(request.path)
  try {
    return rowsOf(await replyTo(request, timeMs), timeMs)
  } finally {
    running.delete(owner)
    endTurn()
  }
}

function replyTo(request: QueryRequest, timeMs: number): Promise<QueryReply | 'late' | 'ended'> {
  // No part of the environment: it has secrets of the operator.
  const child = fork(main, { execArgv: ['--max-old-space-size=256'], env: {}, stdio: 'ignore' })
  return new Promise<QueryReply | 'late' | 'ended'>((resolve) => {
    const timer = setTimeout(() => resolve('late'), timeMs)
    child.once('message', (reply) => resolve(reply as QueryReply))
    child.once('exit', () => resolve('ended'))
    child.once('error', () => resolve('ended'))
    child.send(request)
    child.once('close', () => clearTimeout(timer))
  }).finally(() => child.kill('SIGKILL'))
}

function rowsOf(reply: QueryReply | 'late' | 'ended', timeMs: number): Rows {
  if (reply === 'late')
    throw new WarehouseError(`The query took longer than ${timeMs / 1_000} s; ask for less.`, 'QUERY_LATE')
  if (reply === 'ended')
    throw new WarehouseError('The query ended its process: it needs too much memory. Ask for less.', 'QUERY_ENDED')
  if (reply.kind === 'tooLarge')
    throw new WarehouseError(`The result has more than ${resultCharsMax} characters; ask for less.`, 'QUERY_TOO_LARGE')
  if (reply.kind === 'failed') throw new WarehouseError(reply.message, reply.code)
  return JSON.parse(reply.text) as Rows
}
