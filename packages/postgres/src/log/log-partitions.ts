import type { SqlSession } from '@sluice/storage/sql'
import { sql } from 'kysely'
import type { Query } from '../connect/connect.ts'
import { aheadMin, partitionSpan } from '../schema/partition-log.ts'

/** When a partition is closed: so that what all have passed does not stay for long, and no drop is of too much at once. */
const closedAfterMs = 3_600_000
const closedAtBytes = 4 * 1_024 ** 3
/** The age rule waits above so many partitions, for each makes every statement a little slower. */
const partitionsMax = 24
/**
 * How long after a partition was closed it may be dropped. An append that drew a position of it has ended by then, with
 * its batch visible or not: statements take 5 seconds at most, and pauses within a transaction 3.
 */
const quietMs = 60_000

/** A part of the table of batches, with those of a range of positions. */
interface LogPartition {
  /** The first position is this times `partitionSpan`; the first partition also has all smaller ones. */
  readonly number: number
  /** When the first batch could be written to it, in milliseconds since 1970 on the clock of the database; 0 before. */
  readonly beganAt: number
  /** With indexes. */
  readonly bytes: number
}

interface LogPartitions {
  /** In order of positions. */
  readonly all: readonly LogPartition[]
  /** The number of the one that is written. */
  readonly current: number
  /** On the clock of the database. */
  readonly now: number
}

/** Reads which partitions there are. */
export async function readPartitions(query: Query): Promise<LogPartitions> {
  const rows = await query<{ number: number; began_at: number; bytes: number; last: number; now: number }>(
    `select number, began_at, coalesce(pg_total_relation_size(to_regclass('log_batch_' || number)), 0) as bytes,
       last_value as last, (extract(epoch from clock_timestamp()) * 1000)::bigint as now
     from log_partition cross join log_position order by number`,
  )
  const current = Math.floor((rows[0]?.last ?? 0) / partitionSpan)
  const all = rows.map(({ number, began_at, bytes }) => ({ number, beganAt: began_at, bytes }))
  return { all, current, now: rows[0]?.now ?? 0 }
}

/** The table of a partition. */
function tableOf(number: number): string {
  return `log_batch_${number}`
}

/** Returns the partitions that are closed and to which nothing is added any more, in order. */
export function closedPartitions({ all, current, now }: LogPartitions): readonly LogPartition[] {
  const began = new Map(all.map(({ number, beganAt }) => [number, beganAt]))
  // Each was closed when the one behind it began.
  return all.filter(({ number }) => {
    const closedAt = number < current ? (began.get(number + 1) ?? 0) : 0
    return closedAt > 0 && now - closedAt >= quietMs
  })
}

/**
 * Adds partitions ahead, closes the one that is written when it is old or large, and drops those that no workspace needs.
 * Any process may call it at any time.
 * @param isCrowded whether the store is nearly full: what may go is to go soon.
 */
export async function tendPartitions(query: Query, session: SqlSession, isCrowded: boolean): Promise<void> {
  const { all, current, now } = await readPartitions(query)
  const last = all.at(-1)?.number ?? current
  for (let number = last + 1; number <= current + aheadMin; number += 1)
    await query('select add_log_partition($1)', [number])
  const written = all.find(({ number }) => number === current)
  if (written?.beganAt === 0) await query('update log_partition set began_at = $2 where number = $1', [current, now])
  else if (written && isToClose(written, { all, now, isCrowded })) await closePartition(session, current)
  for (const { number } of closedPartitions({ all, current, now })) {
    const [needed] = await query(needs(tableOf(number)), [(number + 1) * partitionSpan])
    // Those behind it are not needed either only when it is not. A reader may hold it: then at the next call.
    if (needed || !(await isDropped(query, number))) return
  }
}

function isToClose(
  { beganAt, bytes }: LogPartition,
  { all, now, isCrowded }: { all: readonly LogPartition[]; now: number; isCrowded: boolean },
): boolean {
  // An empty table has indexes of some pages.
  if (bytes < bytesMin) return false
  const total = all.reduce((sum, each) => sum + each.bytes, 0)
  if (bytes >= Math.max(closedAtBytes, total / partitionsMax) || (isCrowded && bytes >= total / partitionsMax))
    return true
  return now - beganAt >= closedAfterMs && all.length < partitionsMax + aheadMin
}

const bytesMin = 64 * 1_024

/** Lets the next batch be the first one of the next partition, unless another process has done so. */
async function closePartition({ write }: SqlSession, number: number): Promise<void> {
  const next = number + 1
  await write({
    // These writes take turns, so no two processes move the sequence. Those that draw positions meanwhile get smaller ones.
    apply: async (db) => {
      const { rows } = await sql`
        select setval('log_position', ${next * partitionSpan}) from log_position
        where last_value < ${next * partitionSpan - partitionSpan / 4} and exists (select from log_partition where number = ${next})
      `.execute(db)
      if (rows.length > 0)
        await sql`
          update log_partition set began_at = (extract(epoch from clock_timestamp()) * 1000)::bigint
          where number = ${next}`.execute(db)
    },
  })
}

async function isDropped(query: Query, number: number): Promise<boolean> {
  const [answer] = await query<{ dropped: boolean }>('select drop_log_partition($1) as dropped', [number])
  return answer?.dropped === true
}

/** Returns a workspace that has batches in a partition, not all of which may go. Goes from workspace to workspace in the index. */
function needs(table: string): string {
  return `
    with recursive every as (
      (select workspace_id from ${table} order by workspace_id limit 1)
      union all
      select (
        select workspace_id from ${table} as batch where batch.workspace_id > every.workspace_id order by workspace_id limit 1
      ) from every where every.workspace_id is not null
    )
    select every.workspace_id from every left join log_trimmed using (workspace_id)
    where every.workspace_id is not null and coalesce(whole_below, 0) < $1 limit 1`
}
