import { foldNamedCounts, forgetWrites, pruneReceipts, type SqlSession } from '@sluice/storage/sql'
import { sql } from 'kysely'
import type { Query } from './connect/connect.ts'
import { waitingCounts } from './counters.ts'
import { tendPartitions } from './log/log-partitions.ts'

const everyMs = 10_000
/**
 * Clean-ups in a row without an error before writes are forgotten: after an outage, however long it was, each has been tried
 * again by then.
 */
const quietMin = 12
/** Rows of one clean-up, so that other writes do not wait long. */
const rowsMax = 5_000
/** Files of workspaces that no process has, and that are remembered, so that one that comes back is known to be old. */
const filesMax = 100

interface JanitorOptions {
  readonly session: SqlSession
  readonly query: Query
  /** Whether the store is nearly full. */
  readonly isCrowded: () => boolean
  readonly receiptsMax: number
  readonly clock: { now(): number }
  /** Whether this process is the one that cleans up. */
  readonly isLeader: () => boolean
  readonly onError: (error: unknown) => void
}

/** Starts to clean up now and then: adds up counters, drops parts of the log, and forgets old receipts and messages. @returns how to stop it. */
export function startJanitor(options: JanitorOptions): () => Promise<void> {
  let running: Promise<void> | undefined
  let quiet = 0
  const timer = setInterval(() => {
    if (running || !options.isLeader()) return
    running = cleanUp(options)
      .then(async () => {
        quiet += 1
        const { session } = options
        if (quiet > quietMin) await session.write({ apply: (db) => forgetWrites(db, session.dialect) })
      })
      .catch((error: unknown) => {
        quiet = 0
        options.onError(error)
      })
      .finally(() => {
        running = undefined
      })
  }, everyMs).unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}

async function cleanUp(options: JanitorOptions): Promise<void> {
  const { session, query, isCrowded, receiptsMax, clock } = options
  await tendPartitions(query, session, isCrowded())
  await session.write({ apply: (db) => waitingCounts.addUp.execute(db) })
  while (await session.write({ apply: foldNamedCounts }));
  await session.write({ apply: (db) => pruneReceipts(db, receiptsMax) })
  await session.write({
    apply: (db) => sql`delete from passing where id <= (select min(passed) from node)`.execute(db),
  })
  await query(
    `delete from defined_file where not exists (select from node where file = digest)
       and digest not in (select digest from defined_file order by seen_at desc limit $1)`,
    [filesMax],
  )
  // Whatever process has taken the messages: this one may get none itself.
  const [window] = await query<{ ms: number | null }>('select max(deduplication_ms) as ms from node')
  if (window === undefined || window.ms === null) return
  const outdated = clock.now() - window.ms
  await session.write({
    apply: (db) =>
      sql`
        delete from message_digest where digest in (
          select digest from (
            select digest, at from message_digest order by seq limit ${rowsMax}
          ) as oldest where at <= ${outdated}
        )`.execute(db),
  })
}
