import { consumerOf, observer } from '@sluice/pipeline/store'
import { sql } from 'kysely'
import type { Db } from './sql-session.ts'

/** A consumer that reads again, from the first batch on, what is in the log. */
export interface RestartedConsumer {
  readonly workspaceId: string
  readonly consumer: string
}

/**
 * Puts a consumer whose cursor is not there before everything its log still holds: a new one would begin at the end, and
 * what it was owed would be skipped. The batches themselves tell who there was: each names its destinations.
 *
 * @returns those that had none.
 */
export async function restartConsumers(db: Db): Promise<readonly RestartedConsumer[]> {
  const { rows } = await sql<{ workspaceId: string; destinationId: string | null }>`
    select distinct workspace_id as "workspaceId", value as "destinationId"
    from log_batch left join json_each(destination_ids_json) order by 1, 2`.execute(db)
  const consumers = rows.map(({ workspaceId, destinationId }) => ({
    workspaceId,
    consumer: destinationId === null ? observer : consumerOf(destinationId),
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
