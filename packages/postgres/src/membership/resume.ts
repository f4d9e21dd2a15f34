import type { LogPosition } from '@sluice/pipeline'
import type { Connection, Query } from '../connect/connect.ts'
import { laneCount } from '../lanes/lane-of.ts'
import { aheadMin, partitionSpan } from '../schema/partition-log.ts'
import type { DatabaseState, KnownBatch, KnownPast } from './known-past.ts'

/** Batches, and workspaces, of one statement. */
const batchesPerStatement = 10_000
const workspacesPerStatement = 20
/** Times that partitions are added to the log: each may have to wait for a reader. */
const triesMax = 10
/** Resumptions without a loss that are remembered. */
const keptMax = 20

/** What the database lacked when processes resumed on it, as far as this process knows. */
export interface MissingBatches {
  readonly batches: number
  readonly events: number
  /** Changes of regulations, code and configuration. */
  readonly changes: number
}

export interface Resumed {
  readonly state: DatabaseState
  readonly missing: MissingBatches
  /** Whether the database still has everything that the process knows. */
  readonly isSame: boolean
}

/** Who took part before a process has to join again, as it knows. */
export interface TookPart {
  /** Its own id then; undefined for a process that starts. */
  readonly as: string | undefined
  readonly others: readonly string[]
}

interface Resumption {
  readonly id: number
  readonly found_changes: number
}

/**
 * Finds out, before a process joins, whether the database is in the state that it knows. A database that was started since,
 * such as a standby that took the place of the primary, may lack what it had acknowledged; so may one whose numbers are lower
 * than those seen before. The first process that notices it notes where each lane ends, and lets positions continue far above
 * the highest one seen by any. Each process then notes which of the batches that it knows are missing. What is lost is known
 * exactly once all that took part have done so.
 *
 * @returns what is missing, and the state in which the database is now.
 */
export async function resume(connection: Connection, past: KnownPast, took: TookPart): Promise<Resumed> {
  const found = await findOrBegin(connection, past)
  const missing = found === undefined ? none : await noteMissing(connection.query, found, past, took)
  return { state: await readState(connection.query), missing, isSame: found === undefined }
}

const none: MissingBatches = { batches: 0, events: 0, changes: 0 }

async function readState(query: Query): Promise<DatabaseState> {
  const [row] = await query<DatabaseState>(
    `select last_value as "end", (select count from change_count) as changes from log_position`,
  )
  return row ?? { end: 0, changes: 0 }
}

/** @returns the first resumption after everything that is known, begun now where it is needed; undefined when there is none. */
async function findOrBegin(connection: Connection, past: KnownPast): Promise<Resumption | undefined> {
  for (let tries = 1; tries <= triesMax; tries += 1) {
    const answer = await connection.transaction(async (query) => {
      await query(`select pg_advisory_xact_lock(hashtextextended(current_schema(), $1))`, [lockNumber])
      const state = await readState(query)
      const [last] = await query<{ server: string; now: string }>(lastServer)
      if (last === undefined) await query(noteServer, [state.end, state.changes, state.end])
      // A process that has just started knows nothing.
      const [noted] = past.highest > 0 ? await query<Resumption>(firstBehind, [past.highest]) : []
      const isStartedSince = last !== undefined && last.server !== last.now
      if (!isStartedSince && (noted !== undefined || !past.isAhead(state))) return { noted }
      const number = Math.floor(Math.max(state.end, past.highest) / partitionSpan) + 2
      const [partition] = await query('select from log_partition where number = $1', [number + aheadMin])
      if (partition === undefined) return { missing: number + aheadMin }
      const begun = await begin(query, state, number)
      return { noted: noted ?? begun }
    })
    if (answer.missing === undefined) return answer.noted
    await addPartitions(connection.query, answer.missing)
  }
  throw new Error(`the log could not be continued behind a gap: ${triesMax} times, a partition could not be added`)
}

/** Number of the lock under which processes resume one after the other. */
const lockNumber = 4

const noteServer = `
  insert into resumption (server, at, found_end, found_changes, resumed_at)
  select extract(epoch from pg_postmaster_start_time())::text, (extract(epoch from clock_timestamp()) * 1000)::bigint, $1, $2, $3
  returning id, found_changes`

const firstBehind = `
  select id, found_changes from resumption where resumed_at > $1 order by resumed_at limit 1`

const lastServer = `
  select server, extract(epoch from pg_postmaster_start_time())::text as now from resumption order by id desc limit 1`

async function addPartitions(query: Query, upTo: number): Promise<void> {
  const [last] = await query<{ number: number }>('select max(number) as number from log_partition')
  for (let number = (last?.number ?? 0) + 1; number <= upTo; number += 1)
    await query('select add_log_partition($1)', [number])
}

/** Lets the log continue with a partition, and notes where its lanes end. */
async function begin(query: Query, state: DatabaseState, number: number): Promise<Resumption> {
  const resumedAt: LogPosition = number * partitionSpan
  const [row] = await query<Resumption>(noteServer, [state.end, state.changes, resumedAt])
  const resumption = row ?? { id: 0, found_changes: 0 }
  const workspaces = await query<{ workspace_id: string }>('select distinct workspace_id from log_cursor')
  for (let from = 0; from < workspaces.length; from += workspacesPerStatement)
    await query(noteLanes, [
      resumption.id,
      workspaces.slice(from, from + workspacesPerStatement).map(({ workspace_id }) => workspace_id),
      laneCount,
    ])
  // Those that are left out were closed with the one before them.
  await query(
    `update log_partition set began_at = (extract(epoch from clock_timestamp()) * 1000)::bigint
     where began_at = 0 and number <= $1`,
    [number],
  )
  await query(`select setval('log_position', $1)`, [resumedAt])
  await query(
    `delete from resumption where not is_loss and id not in (select id from resumption order by id desc limit ${keptMax})`,
  )
  return resumption
}

/** What was trimmed was stored: it ends before everything that may be missing. */
const noteLanes = `
  insert into resumption_lane (resumption_id, workspace_id, lane, end_position)
  select $1::bigint, workspace_id, lane, greatest(
    coalesce((
      select position from log_batch as batch
      where batch.workspace_id = each.workspace_id and batch.lane = every.lane order by position desc limit 1
    ), 0),
    coalesce((select greatest(position, whole_below - 1) from log_trimmed as gone where gone.workspace_id = each.workspace_id), 0)
  ) from unnest($2::text[]) as each (workspace_id) cross join generate_series(0, $3::int - 1) as every (lane)`

async function noteMissing(
  query: Query,
  { id, found_changes }: Resumption,
  past: KnownPast,
  { as, others }: TookPart,
): Promise<MissingBatches> {
  let batches = 0
  let events = 0
  for (const known of past.batches(batchesPerStatement))
    for (const row of await query<{ events: number }>(noteBatches, [id, ...columnsOf(known)])) {
      batches += 1
      events += row.events
    }
  const changes = Math.max(0, past.changes - found_changes)
  await query(
    `update resumption set changes_lost = greatest(changes_lost, $2), is_loss = is_loss or $3::int = 1 or $2 > 0,
       is_exact = is_exact and $4 <= found_end,
       took_part = took_part || $5::text[], have_noted = have_noted || $6::text[],
       confirmed_at = case when $3::int = 1 then null else confirmed_at end
     where id = $1`,
    [id, changes, batches > 0 ? 1 : 0, past.forgotten, others, as === undefined ? [] : [as]],
  )
  return { batches, events, changes }
}

function columnsOf(known: readonly KnownBatch[]): readonly (readonly unknown[])[] {
  return [
    known.map(({ workspaceId }) => workspaceId),
    known.map(({ lane }) => lane),
    known.map(({ position }) => position),
    known.map(({ events }) => events),
  ]
}

/** Several processes may know the same batch, and write it down at the same time. */
const noteBatches = `
  insert into lost_batch (resumption_id, position, workspace_id, events)
  select $1::bigint, known.position, known.workspace_id, known.events
  from unnest($2::text[], $3::int[], $4::bigint[], $5::bigint[]) as known (workspace_id, lane, position, events)
  left join resumption_lane as lane
    on lane.resumption_id = $1 and lane.workspace_id = known.workspace_id and lane.lane = known.lane
  where known.position > coalesce(lane.end_position, 0) order by known.position
  on conflict do nothing returning events`
