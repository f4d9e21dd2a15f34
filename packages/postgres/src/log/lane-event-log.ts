import type { EventLog, LogPosition, Progress } from '@sluice/pipeline'
import { type AppendWatchers, batchOf, type LogBudget, type VersionWatchers } from '@sluice/storage/sql'
import { repeated } from '../connect/lost-answers.ts'
import { laneCount } from '../lanes/lane-of.ts'
import type { AppendGroup } from './append/append-group.ts'
import { type CommitParts, commitProgress, type LanePosition } from './commit-progress.ts'
import { forgetUsers } from './forget-users.ts'
import { anyBytes, type LaneRow, readLanesWithin } from './lane-batch.ts'
import type { LaneCrashes } from './lane-crashes.ts'
import { LaneReader } from './lane-reader.ts'
import type { LaneTail } from './lane-tail.ts'
import { trimLanes } from './trim-lanes.ts'

/** How often a caller that waits for all processes looks whether they are done. */
const lookMs = 50

const allLanes = Array.from({ length: laneCount }, (_, lane) => lane)

interface LaneEventLogOptions extends CommitParts {
  readonly append: AppendGroup
  readonly tail: LaneTail
  readonly budget: LogBudget
  readonly appends: AppendWatchers
  readonly versions: Pick<VersionWatchers, 'notify'>
  /** The lanes that this process holds now. */
  readonly held: () => ReadonlySet<number>
  readonly crashes: Pick<LaneCrashes, 'suspicious'>
  /** Throws when the store is closed. */
  readonly requireOpen: () => void
  /** Runs a call for which closing the store waits; rejects when it is closed. */
  readonly underWay: <Result>(call: () => Promise<Result>) => Promise<Result>
}

/** Creates the event log that several processes share. */
export function createLaneEventLog(options: LaneEventLogOptions): EventLog {
  const { connection, session, append, tail, budget, appends, versions, held, crashes, requireOpen, underWay } = options
  const { query } = connection
  const commit = async (progress: Omit<Progress, 'position'>, moved: readonly LanePosition[]): Promise<void> => {
    versions.notify(progress.workspaceId, await underWay(() => commitProgress(options, progress, moved)))
  }
  return {
    append: async (batch, counts) => {
      const submit = append.prepare(batch, counts, undefined)
      return (
        (
          await underWay(async () => {
            await budget.require(connection.db, batch.workspaceId)
            return submit()
          })
        ).position ?? 0
      )
    },
    appendNew: async (batch, counts, deduplication) => {
      const submit = append.prepare(batch, counts, deduplication)
      return underWay(async () => {
        await budget.require(connection.db, batch.workspaceId)
        return submit()
      })
    },
    requireRoom: (workspaceId) => underWay(() => budget.require(connection.db, workspaceId)),
    usage: (workspaceId) => budget.usage(connection.db, workspaceId),
    register: async (workspaceId, consumer) => {
      requireOpen()
      const registered = async () =>
        (await query<{ position: number | null }>(registerInAll, [workspaceId, consumer, allLanes]))[0]?.position
      // Null when another call registered it meanwhile, such as an earlier one whose answer was lost: now it is to be seen.
      return (await repeated(registered)) ?? (await repeated(registered)) ?? 0
    },
    read: async (workspaceId, after, limit, bytesMax = anyBytes) => {
      const lanes = [allLanes.map(() => workspaceId), allLanes, allLanes.map(() => after)]
      const rows = await underWay(() =>
        query<LaneRow>(readLanesWithin, [...lanes, limit, limit, Math.min(bytesMax, anyBytes)]),
      )
      return rows.map(batchOf)
    },
    commit: ({ position, eventsDone = 0, ...progress }) =>
      commit(
        progress,
        allLanes.map((lane) => ({ lane, position, eventsDone })),
      ),
    eventsDone: async (workspaceId, consumer) => {
      const [row] = await query<{ done: number | null }>(
        'select max(events_done) as done from log_cursor where workspace_id = $1 and consumer = $2',
        [workspaceId, consumer],
      )
      return row?.done ?? 0
    },
    open: async (workspaceId, consumer) => {
      requireOpen()
      await tail.follow(workspaceId, held())
      const cursors = await query<LanePosition>(
        `select lane, position, events_done as "eventsDone" from log_cursor
         where workspace_id = $1 and consumer = $2 and lane = any ($3::int[])`,
        [workspaceId, consumer, [...held()]],
      )
      return new LaneReader({
        workspaceId,
        connection,
        tail,
        cursors,
        watch: (listener) => appends.watch(workspaceId, listener),
        suspicious: crashes.suspicious(workspaceId, consumer),
        commit: (progress, moved) => commit({ workspaceId, consumer, ...progress }, moved),
      })
    },
    settled: async (workspaceId, consumer, signal) => {
      const [end] = await query<{ end: number }>('select last_value as end from log_position')
      const values = [workspaceId, consumer ?? null, end?.end ?? 0, consumer === undefined ? null : consumer]
      while (!signal.aborted) {
        const [left] = await query<{ behind: boolean }>(isBehind, values)
        if (!left?.behind) return true
        await new Promise((resolve) => setTimeout(resolve, lookMs))
      }
      return false
    },
    cursors: async (workspaceId) => {
      requireOpen()
      const rows = await query<{ consumer: string; position: LogPosition }>(slowestLanes, [workspaceId])
      return new Map(rows.map(({ consumer, position }) => [consumer, position]))
    },
    workspaces: async () => {
      const rows = await query<{ workspace_id: string }>('select distinct workspace_id from log_cursor order by 1')
      return rows.map((row) => row.workspace_id)
    },
    unregister: async (workspaceId, consumer) => {
      await repeated(() =>
        query('delete from log_cursor where workspace_id = $1 and consumer = $2', [workspaceId, consumer]),
      )
    },
    end: async (workspaceId) => {
      const [row] = await query<{ end: number }>(
        `select greatest(
           coalesce((select max(position) from log_batch where workspace_id = $1), 0),
           coalesce((select position from log_trimmed where workspace_id = $1), 0)
         ) as end`,
        [workspaceId],
      )
      return row?.end ?? 0
    },
    trim: (workspaceId, kept) => trimLanes(query, session, workspaceId, kept),
    forgetUsers: (workspaceId, userIds) => forgetUsers(session, workspaceId, userIds),
    watch: (workspaceId, listener) => {
      requireOpen()
      return appends.watch(workspaceId, listener)
    },
  }
}

/** A new consumer starts at the end of all lanes: it owes no earlier event. */
const registerInAll = `
  with known as (select min(position) as position from log_cursor where workspace_id = $1 and consumer = $2),
  added as (
    insert into log_cursor (workspace_id, consumer, lane, position)
    select $1, $2, lane, (select case when is_called then last_value else 0 end from log_position)
    from unnest($3::int[]) as every (lane)
    on conflict do nothing
    returning position
  )
  select coalesce((select position from known), (select min(position) from added)) as position`

/** Where each consumer is: in the slowest lane that has batches behind its cursor, or at the end. */
const slowestLanes = `
  select consumer, coalesce(min(cursor.position) filter (where newest.position > cursor.position),
    max(greatest(cursor.position, newest.position))) as position
  from log_cursor as cursor
  left join lateral (
    select position from log_batch
    where log_batch.workspace_id = cursor.workspace_id and log_batch.lane = cursor.lane
    order by position desc limit 1
  ) as newest on true
  where cursor.workspace_id = $1
  group by consumer order by consumer`

/** Whether any consumer, or the given one, has not passed the batches up to a position, or has events that wait. */
const isBehind = `
  select exists (
    select from log_cursor as cursor
    where workspace_id = $1 and ($2::text is null or consumer = $2)
      and exists (
        select from log_batch as batch
        where batch.workspace_id = $1 and batch.lane = cursor.lane
          and batch.position > cursor.position and batch.position <= $3
      )
  ) or exists (
    select from deferred_event
    where workspace_id = $1 and ($4::text is null or 'destination/' || destination_id = $4)
  ) as behind`
