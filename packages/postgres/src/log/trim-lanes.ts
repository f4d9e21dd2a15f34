import type { KeptBatches } from '@sluice/pipeline'
import type { SqlSession } from '@sluice/storage/sql'
import { sql } from 'kysely'

/** Batches deleted in one transaction, so that other writes do not wait long behind a large trim. */
const batchesPerTransaction = 1_000

/** Deletes batches that all consumers have passed and that are not to be kept: see `EventLog.trim`. */
export async function trimLanes(
  { read, write }: SqlSession,
  workspaceId: string,
  { since, bytesMax }: KeptBatches,
): Promise<void> {
  const { rows } = await read((db) =>
    sql<{ position: number }>`
      select position from (
        select position, sum(bytes) over (order by position desc) as newer
        from log_batch where workspace_id = ${workspaceId}
      ) as sums
      where newer > ${bytesMax} order by position desc limit 1`.execute(db),
  )
  // Batches up to here are more than may be kept.
  const cut = rows[0]?.position ?? 0
  for (;;) {
    const deleted = await write({
      owner: workspaceId,
      apply: async (db) => {
        const { rows } = await sql<{ position: number }>`
          delete from log_batch where (workspace_id, lane, position) in (
            select batch.workspace_id, batch.lane, batch.position from log_batch as batch
            where batch.workspace_id = ${workspaceId} and (batch.received_at < ${since} or batch.position <= ${cut})
              and not exists (
                select from log_cursor as cursor
                where cursor.workspace_id = batch.workspace_id and cursor.lane = batch.lane
                  and cursor.position < batch.position
              )
            limit ${batchesPerTransaction}
          ) returning position`.execute(db)
        if (rows.length > 0)
          await sql`
            insert into log_trimmed (workspace_id, position)
            values (${workspaceId}, ${rows.reduce((last, { position }) => Math.max(last, position), 0)})
            on conflict (workspace_id) do update set position = greatest(log_trimmed.position, excluded.position)
          `.execute(db)
        return rows.length
      },
    })
    if (deleted < batchesPerTransaction) return
  }
}
