import { type ChildProcess, fork } from 'node:child_process'
import type { Readable } from 'node:stream'
import { WarehouseError } from '../../../load/warehouse-error.ts'
import { takeTurn } from '../take-turn.ts'
import { type QueryFacts, type QueryReply, type QueryRequest, resultBytesMax, rowsDescriptor } from './query-request.ts'

interface GuardedQuery extends QueryRequest {
  /** Longest time of the query, in milliseconds. */
  readonly timeMs: number
  /** Whose query it is (a workspace). */
  readonly owner: string
}

/** Rows of a query. */
export interface QueriedRows extends QueryFacts {
  /** The rows as JSON with a comma between two, in pieces of any length; at most 2 MB. */
  readonly rows: readonly Uint8Array[]
}

/** The compiled main file, even when this module runs from its source. */
const main = new URL(
  import.meta.url.endsWith('.ts') ? '../../../../dist/engines/duckdb/query/query-main.js' : './query-main.js',
  import.meta.url,
)
/** Queries of all owners at a time: each may take a gigabyte. An owner has one, so that none takes all. */
const queriesMax = 4
const running = new Set<string>()

/**
 * Runs SQL of a person on a DuckDB file, between loads of this process, in a process of its own: it may read the tables of
 * one schema and nothing else, and is killed when it takes too long. A query that uses up its memory, or makes DuckDB
 * abort, ends that process only. The rows are kept as they arrive, within their limit, and not read here: a client that
 * takes them slowly must not keep the file from loads.
 *
 * @returns at most `rowsMax` rows. @throws WarehouseError, also when a query of the owner, or four of all owners, are running already.
 */
export async function queryInProcess({ timeMs, owner, ...request }: GuardedQuery): Promise<QueriedRows> {
  if (running.has(owner) || running.size >= queriesMax)
    throw new WarehouseError('Another query is running; try again when it is done.', 'QUERY_BUSY')
  running.add(owner)
  const endTurn = await takeTurn(request.path)
  try {
    // No part of the environment: it has secrets of the operator.
    const child = fork(main, {
      execArgv: ['--max-old-space-size=256'],
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'ipc'],
    })
    const collected = collectFrom(child.stdio[rowsDescriptor] as Readable)
    try {
      const reply = await replyFrom(child, request, timeMs)
      if (reply === 'late' || reply === 'ended' || reply.kind !== 'rows') throw problemOf(reply, timeMs)
      const rows = await collected
      if (rows === undefined) throw problemOf({ kind: 'tooLarge' }, timeMs)
      const { isCut, columns, tookMs } = reply
      return { rows, isCut, columns, tookMs }
    } finally {
      child.kill('SIGKILL')
    }
  } finally {
    running.delete(owner)
    endTurn()
  }
}

/** Collects what arrives, until the end; `undefined` when it is more than a result may have. */
function collectFrom(stream: Readable): Promise<readonly Uint8Array[] | undefined> {
  const pieces: Uint8Array[] = []
  let length = 0
  return new Promise((resolve) => {
    stream.on('data', (piece: Uint8Array) => {
      length += piece.length
      if (length <= resultBytesMax) pieces.push(piece)
      else stream.destroy()
    })
    stream.on('error', () => stream.destroy())
    stream.once('close', () => resolve(length > resultBytesMax ? undefined : pieces))
  })
}

function replyFrom(child: ChildProcess, request: QueryRequest, timeMs: number): Promise<QueryReply | 'late' | 'ended'> {
  return new Promise<QueryReply | 'late' | 'ended'>((resolve) => {
    const timer = setTimeout(() => resolve('late'), timeMs)
    child.once('message', (reply) => resolve(reply as QueryReply))
    child.once('exit', () => resolve('ended'))
    child.once('error', () => resolve('ended'))
    child.send(request)
    child.once('close', () => clearTimeout(timer))
  })
}

function problemOf(reply: Exclude<QueryReply, { kind: 'rows' }> | 'late' | 'ended', timeMs: number): WarehouseError {
  if (reply === 'late')
    return new WarehouseError(`The query took longer than ${timeMs / 1_000} s; ask for less.`, 'QUERY_LATE')
  if (reply === 'ended')
    return new WarehouseError('The query ended its process: it needs too much memory. Ask for less.', 'QUERY_ENDED')
  if (reply.kind === 'tooLarge')
    return new WarehouseError(`The result has more than ${resultBytesMax} bytes; ask for less.`, 'QUERY_TOO_LARGE')
  return new WarehouseError(reply.message, reply.code)
}
