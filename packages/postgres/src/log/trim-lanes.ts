import type { KeptBatches } from '@sluice/pipeline'
import type { Db, SqlSession } from '@sluice/storage/sql'
import { sql } from 'kysely'
import type { Query } from '../connect/connect.ts'
import { partitionSpan } from '../schema/partition-log.ts'
import { closedPartitions, readPartitions } from './log-partitions.ts'

/** Batches that are deleted one by one: more wait until their partition is dropped as a whole. */
const deletedMax = 1_000

/**
 * Frees batches that all consumers have passed and that are not to be kept: see `EventLog.trim`. Partitions without any that
 * a workspace needs are noted, and dropped when that is so for all. Of the first partition behind them,
 * a few batches are deleted, so that a small log is as short as it should be.
 */
export async function trimLanes(
  query: Query,
  { read, write }: SqlSession,
  workspaceId: string,
  { since, bytesMax }: KeptBatches,
): Promise<void> {
  const closed = closedPartitions(await readPartitions(query))
  const { rows } = await read((db) =>
    sql<{ position: number }>`
      select position from (
        select position, sum(bytes) over (order by position desc) as newer
        from log_batch where workspace_id = ${workspaceId} and position >= ${wholeBelow(workspaceId)}
      ) as sums
      where newer > ${bytesMax} order by position desc limit 1`.execute(db),
  )
  const [trimmed] = await query<{ whole_below: number }>(
    'select whole_below from log_trimmed where workspace_id = $1',
    [workspaceId],
  )
  // Batches up to here are more than may be kept.
  const cut = rows[0]?.position ?? 0
  const mayGo = sql`
    (batch.received_at < ${since} or batch.position <= ${cut}) and not exists (
      select from log_cursor as cursor
      where cursor.workspace_id = batch.workspace_id and cursor.lane = batch.lane and cursor.position < batch.position
    )`
  for (const { number } of closed) {
    const end = (number + 1) * partitionSpan
    if (end <= (trimmed?.whole_below ?? 0)) continue
    const isWhole = await write({
      owner: workspaceId,
      apply: async (db) => {
        const { rows } = await sql<{ needed: boolean; last: number | null }>`
          select coalesce(bool_or(not (${mayGo})), false) as needed, max(position) as last from log_batch as batch
          where workspace_id = ${workspaceId} and position >= ${wholeBelow(workspaceId)} and position < ${end}`.execute(
          db,
        )
        if (rows[0]?.needed) return false
        await noteTrimmed(db, workspaceId, rows[0]?.last ?? 0, end)
        return true
      },
    })
    if (!isWhole) break
  }
  await write({
    owner: workspaceId,
    apply: async (db) => {
      const { rows } = await sql<{ position: number }>`
        select position from log_batch as batch
        where workspace_id = ${workspaceId} and position >= ${wholeBelow(workspaceId)} and ${mayGo}
        limit ${deletedMax + 1}`.execute(db)
      if (rows.length === 0 || rows.length > deletedMax) return
      const positions = rows.map(({ position }) => position)
      await sql`
        delete from log_batch where workspace_id = ${workspaceId} and position = any (${positions}::bigint[])`.execute(
        db,
      )
      await noteTrimmed(db, workspaceId, Math.max(...positions), 0)
    },
  })
}

/** The position below which a workspace needs nothing: what is still there is dropped with its partition. */
function wholeBelow(workspaceId: string) {
  return sql`coalesce((select whole_below from log_trimmed where workspace_id = ${workspaceId}), 0)`
}

async function noteTrimmed(db: Db, workspaceId: string, position: number, end: number): Promise<void> {
  await sql`
    insert into log_trimmed (workspace_id, position, whole_below) values (${workspaceId}, ${position}, ${end})
    on conflict (workspace_id) do update set position = greatest(log_trimmed.position, excluded.position),
      whole_below = greatest(log_trimmed.whole_below, excluded.whole_below)`.execute(db)
}
