import { consumerNameOf, observer } from '@sluice/pipeline/store'
import { sql } from 'kysely'
import type { Db } from '../../sql/sql-session.ts'

/** A consumer that reads the log again from its first batch. */
export interface RestartedConsumer {
  readonly workspaceId: string
  readonly consumer: string
}

/**
 * Sets consumers without a cursor to the beginning of their log. A new consumer would start at the end and skip what it
 * had not processed. The consumers are known from the batches, which name their destinations.
 *
 * @returns the consumers that had no cursor.
 */
export async function restartConsumers(db: Db): Promise<readonly RestartedConsumer[]> {
  const { rows } = await sql<{ workspaceId: string; destinationId: string | null }>`
    select distinct workspace_id as "workspaceId", value as "destinationId"
    from log_batch left join json_each(destination_ids_json) order by 1, 2`.execute(db)
  const consumers = rows.map(({ workspaceId, destinationId }) => ({
    workspaceId,
    consumer: destinationId === null ? observer : consumerNameOf(destinationId),
  }))
  for (const workspaceId of new Set(rows.map((row) => row.workspaceId)))
    consumers.push({ workspaceId, consumer: observer })
  const restarted: RestartedConsumer[] = []
  for (const { workspaceId, consumer } of consumers) {
    const { numInsertedOrUpdatedRows } = await db
      .insertInto('log_cursor')
      .values({ workspace_id: workspaceId, consumer, position: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows) restarted.push({ workspaceId, consumer })
  }
  return restarted
}
