import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection, Query } from '../connect/connect.ts'
import { laneCount } from '../lanes/lane-of.ts'
import { partitionSpan } from '../schema/partition-log.ts'
import { type ClusterStatus, everyCount, pendingSum, readClusterStatus } from './cluster-status.ts'

/** Time beyond a lease in which lanes of a process that is gone must have another one. */
const takeOverMs = 3_000
/** Of one statement of the audit, which reads all events that are still to be delivered. */
const statementMs = 600_000
/** Consumers that deliver to a destination have its id behind this. */
const prefix = 'destination/'

/**
 * Audits what must be true of a cluster at any moment. Lanes may be without a living process for as long as a take-over
 * takes; the check waits for that.
 * @returns what is wrong, in words; empty when nothing is.
 */
export async function checkCluster(connection: Connection): Promise<readonly string[]> {
  return [...(await checkOwners(connection.query)), ...(await connection.transaction(checkStored))]
}

async function checkOwners(query: Query): Promise<readonly string[]> {
  const startedAt = performance.now()
  for (;;) {
    const status = await readClusterStatus(query)
    const wrong = ownerProblems(status)
    const leaseMs = Math.max(0, ...status.nodes.map((node) => node.leaseMs))
    if (wrong.length === 0 || performance.now() - startedAt > leaseMs + takeOverMs) return wrong
    await sleep(lookAgainMs)
  }
}

const lookAgainMs = 500

function ownerProblems({ nodes, lanesWithoutOwner, changes }: ClusterStatus): readonly string[] {
  // Where no process is running, no lane has to be held.
  if (!nodes.some(({ isMember, beatAgeMs }) => isMember && beatAgeMs !== undefined)) return []
  return [
    ...(lanesWithoutOwner.length > 0 ? [`no process holds the lanes ${lanesWithoutOwner.join(', ')}`] : []),
    ...nodes.flatMap(({ id, lanes, beatAgeMs, isMember, applied }) => [
      ...(lanes.length > 0 && beatAgeMs === undefined
        ? [`process ${id} is silent, and still holds the lanes ${lanes.join(', ')}`]
        : []),
      ...(lanes.length > 0 && !isMember ? [`process ${id} holds lanes, and does not take part`] : []),
      ...(applied > changes ? [`process ${id} has applied ${applied} changes of ${changes}`] : []),
      ...(isMember && applied < changes ? [`process ${id} has applied only ${applied} of ${changes} changes`] : []),
    ]),
  ]
}

/** In one snapshot. */
async function checkStored(query: Query): Promise<readonly string[]> {
  await query('set transaction isolation level repeatable read, read only')
  await query(`set local statement_timeout = ${statementMs}`)
  const wrong: string[] = []
  for (const { sql, values = [], text } of audits)
    for (const row of await query<Record<string, unknown>>(sql, values)) wrong.push(text(row))
  return wrong
}

interface Audit {
  /** Returns a row for everything that is wrong. */
  readonly sql: string
  readonly values?: readonly unknown[]
  text(row: Readonly<Record<string, unknown>>): string
}

const audits: readonly Audit[] = [
  {
    sql: `select count(position) as batches, coalesce(sum(events), 0) as events, changes_lost as changes
      from resumption left join lost_batch on resumption_id = id where is_loss and confirmed_at is null
      group by resumption.id order by resumption.id`,
    text: ({ batches, events, changes }) =>
      `the database lacked ${events} acknowledged events in ${batches} batches, and ${changes} changes, when it was served again: sluice cluster confirm-loss confirms that you know`,
  },
  {
    sql: 'select count(*) as lanes, min(number) as first, max(number) as last from lane having count(*) <> $1 or min(number) <> 0 or max(number) <> $1 - 1',
    values: [laneCount],
    text: ({ lanes }) => `there are ${lanes} lanes in place of ${laneCount}`,
  },
  {
    sql: `select workspace_id, consumer, count(*) as lanes from log_cursor group by workspace_id, consumer
      having count(*) <> $1 or min(lane) <> 0 or max(lane) <> $1 - 1`,
    values: [laneCount],
    text: ({ workspace_id, consumer, lanes }) =>
      `${consumer} of workspace ${workspace_id} has a cursor in ${lanes} of ${laneCount} lanes`,
  },
  {
    // The sequence is read beyond the snapshot, so it is never too small.
    sql: `select workspace_id, consumer, lane, position, last_value as end from log_cursor cross join log_position
      where position > case when is_called then last_value else 0 end`,
    text: ({ workspace_id, consumer, lane, position, end }) =>
      `the cursor of ${consumer} of workspace ${workspace_id} in lane ${lane} is at ${position}, beyond the end of the log (${end})`,
  },
  {
    sql: `select workspace_id, lane, max(position) as position, last_value as end from log_batch cross join log_position
      group by workspace_id, lane, last_value, is_called
      having max(position) > case when is_called then last_value else 0 end`,
    text: ({ workspace_id, lane, position, end }) =>
      `lane ${lane} of workspace ${workspace_id} has a batch at ${position}, beyond the end of the log (${end}): new ones would come before it`,
  },
  {
    sql: `select count(*) as ahead from log_partition cross join log_position
      where number > last_value / $1 having count(*) = 0`,
    values: [partitionSpan],
    text: () => 'the log has no partition behind the one that is written: no process looks after it',
  },
  {
    sql: `select workspace_id, consumer, lane, cursor.position as position
      from log_trimmed join log_cursor as cursor using (workspace_id)
      where exists (
        select from log_batch as batch
        where batch.workspace_id = cursor.workspace_id and batch.lane = cursor.lane
          and batch.position > cursor.position and batch.position < whole_below
      )`,
    text: ({ workspace_id, consumer, lane, position }) =>
      `${consumer} of workspace ${workspace_id} is at ${position} in lane ${lane}, before batches that may be dropped`,
  },
  {
    sql: `select position, count(*) as batches from log_batch group by position having count(*) > 1 order by 1 limit 10`,
    text: ({ position, batches }) => `${batches} batches of the log are at position ${position}`,
  },
  {
    sql: `with every_count as (${everyCount}),
      owed as (
        select workspace_id, destination_id, ${pendingSum} as counted
        from every_count where destination_id <> '' group by workspace_id, destination_id
      ),
      parts as (
        select workspace_id, destination_id, count(*) as events from deferred_event group by workspace_id, destination_id
        union all
        select cursor.workspace_id, substr(consumer, length($1) + 1), json_array_length(events_json::json)
        from log_cursor as cursor join log_batch as batch
          on batch.workspace_id = cursor.workspace_id and batch.lane = cursor.lane and batch.position > cursor.position
        where starts_with(consumer, $1) and destination_ids_json::jsonb ? substr(consumer, length($1) + 1)
        union all
        select cursor.workspace_id, substr(consumer, length($1) + 1), -events_done
        from log_cursor as cursor cross join lateral (
          select destination_ids_json from log_batch as batch
          where batch.workspace_id = cursor.workspace_id and batch.lane = cursor.lane and batch.position > cursor.position
          order by position limit 1
        ) as in_part
        where starts_with(consumer, $1) and events_done > 0
          and destination_ids_json::jsonb ? substr(consumer, length($1) + 1)
      ),
      stored as (
        select workspace_id, destination_id, sum(events) as kept from parts group by workspace_id, destination_id
      )
      select workspace_id, destination_id, coalesce(counted, 0) as counted, coalesce(kept, 0) as kept
      from owed full join stored using (workspace_id, destination_id)
      where coalesce(counted, 0) <> coalesce(kept, 0)`,
    values: [prefix],
    text: ({ workspace_id, destination_id, counted, kept }) =>
      `destination ${destination_id} of workspace ${workspace_id}: ${counted} events have not ended by the counts, ${kept} are stored`,
  },
  {
    sql: `select workspace_id, coalesce(usage.letters, 0) as counted, coalesce(stored.letters, 0) as kept
      from dead_letter_usage as usage full join (
        select workspace_id, count(*) as letters, sum(bytes) as bytes from dead_letter group by workspace_id
      ) as stored using (workspace_id)
      where coalesce(usage.letters, 0) <> coalesce(stored.letters, 0)
        or coalesce(usage.bytes, 0) <> coalesce(stored.bytes, 0)`,
    text: ({ workspace_id, counted, kept }) =>
      `workspace ${workspace_id} has ${kept} dead letters, and a sum that says ${counted}`,
  },
]
