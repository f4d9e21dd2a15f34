import { InvariantError } from '@sluice/core'
import type { Progress } from '@sluice/pipeline'
import type { NewVersion } from '@sluice/schema'
import { addCounts, type OpenSqlStores, putDeferred, receiptRows, type SqlSession } from '@sluice/storage/sql'
import { sql } from 'kysely'
import type { Connection } from '../connect/connect.ts'
import { repeated } from '../connect/lost-answers.ts'
import { laneOf } from '../lanes/lane-of.ts'
import { NotServingError } from '../membership/not-serving-error.ts'
import { addNamedIf, namedApart } from '../named-apart.ts'

/** How far a consumer has come in one lane. */
export interface LanePosition {
  readonly lane: number
  readonly position: number
  /** Events of the batch behind it that are done. */
  readonly eventsDone: number
}

export interface CommitParts {
  readonly connection: Connection
  readonly session: SqlSession
  readonly nodeId: () => string
  readonly stores: Pick<OpenSqlStores, 'receipts' | 'deadLetters' | 'schema'>
}

/**
 * Stores what a consumer made of the log up to a position in each of some lanes, whole or not at all. Most commits are one
 * statement; those with events that wait, dead letters or what was observed take turns with other writes.
 * @returns the versions that were stored for the first time. @throws NotServingError
 */
export async function commitProgress(
  { connection, session, nodeId, stores }: CommitParts,
  progress: Omit<Progress, 'position'>,
  moved: readonly LanePosition[],
): Promise<readonly NewVersion[]> {
  const { workspaceId, consumer, counts, deferred = [], deadLetters = [], observed } = progress
  const receipts = receiptRows(progress.receipts)
  const lanes = moved.map(({ lane }) => lane)
  const positions = moved.map(({ position }) => position)
  const eventsDone = moved.map((each) => each.eventsDone)
  if (deferred.length === 0 && deadLetters.length === 0 && observed === undefined) {
    const { plain, namedJson } = namedApart(counts)
    // Once it has moved the cursors, it changes nothing.
    const [answer] = await repeated(() =>
      connection.query<{ serving: number; moved: number }>(commitInOne, [
        nodeId(),
        workspaceId,
        consumer,
        lanes,
        positions,
        // All are of this workspace, so there is one row at most.
        receipts[0]?.receipts ?? null,
        receipts[0]?.fingerprints ?? null,
        receipts[0]?.receipts_json ?? null,
        plain.map(({ sourceId }) => sourceId),
        plain.map(({ destinationId }) => destinationId),
        plain.map(({ kind }) => kind),
        plain.map(({ reason }) => reason),
        plain.map(({ count }) => count),
        eventsDone,
        namedJson,
      ]),
    )
    if (!answer?.serving) throw new NotServingError()
    if (answer.moved === 0) await requireRegistered(connection, workspaceId, consumer)
    return []
  }
  return session.write({
    owner: workspaceId,
    apply: async (db) => {
      const { rows } = await sql`
        update log_cursor as cursor set position = moved.position, events_done = moved.events_done
        from unnest(${lanes}::int[], ${positions}::bigint[], ${eventsDone}::bigint[]) as moved (lane, position, events_done)
        where cursor.workspace_id = ${workspaceId} and cursor.consumer = ${consumer} and cursor.lane = moved.lane
          and (cursor.position, cursor.events_done) < (moved.position, moved.events_done)
        returning 1`.execute(db)
      if (rows.length === 0) return []
      addCounts(db, counts)
      await stores.receipts.put(db, receipts)
      await putDeferred(db, deferred, laneOf)
      await stores.deadLetters.put(db, deadLetters)
      return observed === undefined ? [] : stores.schema.mergeInto(db, workspaceId, observed)
    },
  })
}

async function requireRegistered({ query }: Connection, workspaceId: string, consumer: string): Promise<void> {
  const known = await query('select 1 from log_cursor where workspace_id = $1 and consumer = $2 limit 1', [
    workspaceId,
    consumer,
  ])
  if (known.length === 0) throw new InvariantError(`consumer ${consumer} committed without being registered`)
}

const commitInOne = `
  with serving as materialized (select 1 from node where id = $1 for key share),
  moved as (
    update log_cursor as cursor set position = moved.position, events_done = moved.events_done
    from unnest($4::int[], $5::bigint[], $14::bigint[]) as moved (lane, position, events_done)
    where cursor.workspace_id = $2 and cursor.consumer = $3 and cursor.lane = moved.lane
      and (cursor.position, cursor.events_done) < (moved.position, moved.events_done) and exists (select from serving)
    returning 1
  ),
  receipted as (
    insert into receipt_batch (workspace_id, receipts, fingerprints, receipts_json)
    select $2, $6::bigint, $7, $8 where $6::bigint is not null and exists (select from moved)
  ),
  counted as (
    insert into count_delta (workspace_id, source_id, destination_id, kind, reason, amount)
    select $2, * from unnest($9::text[], $10::text[], $11::text[], $12::text[], $13::bigint[])
    where exists (select from moved)
  ),
  ${addNamedIf('$15', 'exists (select from moved)')}
  select (select count(*) from serving) as serving, (select count(*) from moved) as moved`
