import type { Event } from '@sluice/core'
import { consumerNameOf } from '@sluice/pipeline/store'
import { sql } from 'kysely'
import { laneCount, laneOf } from '../lanes/lane-of.ts'
import { copiedTables } from './copied-tables.ts'
import { nextBatches } from './copy-log.ts'
import type { CopyParts } from './copy-parts.ts'

/** One figure of both stores. */
export interface ComparedSum {
  /** What was counted. */
  readonly what: string
  readonly source: number
  readonly target: number
}

/** Counts both stores: rows, what counters say, events by lane, and events that are still owed to each destination. */
export async function compareStores(parts: CopyParts): Promise<readonly ComparedSum[]> {
  return [...(await compareTables(parts)), ...(await compareLogs(parts))]
}

async function compareTables({ source, target, signal }: CopyParts): Promise<readonly ComparedSum[]> {
  const sums: ComparedSum[] = []
  for (const { name } of copiedTables) {
    signal?.throwIfAborted()
    const [from, to] = await Promise.all([
      sql<{ rows: number }>`select count(*) as rows from ${sql.table(name)}`.execute(source),
      sql<{ rows: number }>`select count(*) as rows from ${sql.table(name)}`.execute(target.db),
    ])
    sums.push({ what: `rows of ${name}`, source: from.rows[0]?.rows ?? 0, target: to.rows[0]?.rows ?? 0 })
  }
  const loads = sql<{ loads: number }>`select count(distinct workspace_id || ' ' || consumer) as loads from load_mark`
  const [had, has] = await Promise.all([loads.execute(source), loads.execute(target.db)])
  sums.push({ what: 'begun loads', source: had.rows[0]?.loads ?? 0, target: has.rows[0]?.loads ?? 0 })
  const kinds = sql<{ kind: string; total: number }>`select kind, sum(total) as total from counter group by kind`
  const before = await kinds.execute(source)
  const after = new Map((await kinds.execute(target.db)).rows.map(({ kind, total }) => [kind, total]))
  return [
    ...sums,
    ...before.rows.map(({ kind, total }) => ({
      what: `counted as ${kind}`,
      source: total,
      target: after.get(kind) ?? 0,
    })),
  ]
}

/** Reads the whole log of the source once more. */
async function compareLogs({ source, target, signal }: CopyParts): Promise<readonly ComparedSum[]> {
  const cursors = await source.selectFrom('log_cursor').selectAll().execute()
  const consumers = new Map(cursors.map((row) => [keyOf(row.workspace_id, row.consumer), row.position]))
  const byLane = new Map(Array.from({ length: laneCount }, (_, lane) => [lane, 0]))
  const owed = new Map<string, number>()
  for (let after = 0; ; ) {
    signal?.throwIfAborted()
    const batches = await nextBatches(source, after)
    const last = batches.at(-1)
    if (last === undefined) break
    after = last.position
    for (const batch of batches) {
      const events = JSON.parse(batch.events_json) as readonly Event[]
      for (const event of events) byLane.set(laneOf(event), (byLane.get(laneOf(event)) ?? 0) + 1)
      for (const destinationId of JSON.parse(batch.destination_ids_json) as readonly string[]) {
        const key = keyOf(batch.workspace_id, consumerNameOf(destinationId))
        if (batch.position > (consumers.get(key) ?? Number.POSITIVE_INFINITY))
          owed.set(key, (owed.get(key) ?? 0) + events.length)
      }
    }
  }
  const lanes = await target.query<{ lane: number; events: number }>(
    'select lane, sum(json_array_length(events_json::json)) as events from log_batch group by lane',
  )
  const inLane = new Map(lanes.map(({ lane, events }) => [lane, events]))
  const left = await target.query<{ workspace_id: string; consumer: string; events: number }>(
    `select cursor.workspace_id, consumer, sum(json_array_length(events_json::json)) as events
     from log_cursor as cursor join log_batch as batch
       on batch.workspace_id = cursor.workspace_id and batch.lane = cursor.lane and batch.position > cursor.position
     where destination_ids_json::jsonb ? substr(consumer, length($1) + 1)
     group by cursor.workspace_id, consumer`,
    [consumerNameOf('')],
  )
  const leftBy = new Map(left.map((row) => [keyOf(row.workspace_id, row.consumer), row.events]))
  return [
    ...[...byLane].map(([lane, events]) => ({
      what: `events of lane ${lane}`,
      source: events,
      target: inLane.get(lane) ?? 0,
    })),
    ...[...new Set([...owed.keys(), ...leftBy.keys()])].map((key) => ({
      what: `events ahead of ${key}`,
      source: owed.get(key) ?? 0,
      target: leftBy.get(key) ?? 0,
    })),
  ]
}

function keyOf(workspaceId: string, consumer: string): string {
  return `${consumer} of ${workspaceId}`
}
