import type { Event } from '@sluice/core'
import type { Tables } from '@sluice/storage/sql'
import { type Selectable, sql } from 'kysely'
import type { Query } from '../connect/connect.ts'
import { laneCount, laneOf } from '../lanes/lane-of.ts'
import type { Row } from './copied-tables.ts'
import type { CopyParts } from './copy-parts.ts'
import { insertRows } from './copy-table.ts'
import { readMark, writeMark } from './migration-mark.ts'

/** Batches of one transaction, and the size of their events. */
const batchesMax = 500
const bytesMax = 8 * 1024 ** 2

type Batch = Selectable<Tables['log_batch']>

/** A part of a batch whose users share a lane, with where it was. */
interface LaneRow extends Row {
  readonly position: number
}

/**
 * Copies the consumers, then the log with the events of each batch split by lane. New positions keep the order of the
 * old ones, so in every lane a consumer continues behind the last batch that it had passed. The same goes for the end of a
 * load into a warehouse that had begun: it may have happened, and must not happen again.
 */
export async function copyLog({ source, target, onProgress, signal }: CopyParts): Promise<void> {
  const cursors = await source.selectFrom('log_cursor').selectAll().execute()
  const loads = await source.selectFrom('load_mark').selectAll().execute()
  if (!(await readMark(target.query, 'log_cursor')).isComplete)
    await target.db.transaction().execute(async (transaction) => {
      const columns = ['workspace_id', 'consumer', 'lane', 'position']
      for (const { workspace_id, consumer } of cursors) {
        const lanes = Array.from({ length: laneCount }, (_, lane) => ({ workspace_id, consumer, lane, position: 0 }))
        await insertRows(transaction, 'log_cursor', columns, lanes)
      }
      const loadColumns = ['workspace_id', 'consumer', 'lane', 'load_id', 'position', 'is_over']
      for (const { workspace_id, consumer, load_id, is_over } of loads) {
        const all = Array.from({ length: laneCount }, (_, lane) => ({
          workspace_id,
          consumer,
          lane,
          load_id,
          position: 0,
          is_over,
        }))
        await insertRows(transaction, 'load_mark', loadColumns, all)
      }
      await writeMark(transaction, 'log_cursor', { copiedTo: 0, isComplete: true })
    })
  const inPart = await batchesInPart(source, cursors)
  for (;;) {
    signal?.throwIfAborted()
    const mark = await readMark(target.query, 'log_batch')
    if (mark.isComplete) return
    const batches = await nextBatches(source, mark.copiedTo)
    const rows: LaneRow[] = []
    // The newest position that was made of the batches up to an old one.
    const newest: { readonly old: number; readonly position: number }[] = []
    for (const batch of batches) {
      rows.push(...(await splitByLane(target.query, batch)))
      newest.push({ old: batch.position, position: rows.at(-1)?.position ?? 0 })
    }
    await target.db.transaction().execute(async (transaction) => {
      if (rows.length > 0) await insertLog(transaction, rows)
      for (const { workspace_id, consumer, position } of cursors) {
        const passed = newest.findLast(({ old }) => old <= position)
        if (passed !== undefined)
          await transaction
            .updateTable('log_cursor')
            .set({ position: passed.position })
            .where((row) => row.and({ workspace_id, consumer }))
            .execute()
      }
      for (const { workspace_id, consumer, load_id, position } of loads) {
        const passed = newest.findLast(({ old }) => old <= position)
        if (passed !== undefined)
          await transaction
            .updateTable('load_mark')
            .set({ position: passed.position })
            .where((row) => row.and({ workspace_id, consumer, load_id }))
            .execute()
      }
      for (const batch of batches)
        for (const { workspace_id, consumer, events_done } of inPart.get(batch.position) ?? [])
          for (const [lane, done] of lanesOfFirst(batch, events_done))
            await transaction
              .updateTable('log_cursor')
              .set({ events_done: done })
              .where('workspace_id', '=', workspace_id)
              .where('consumer', '=', consumer)
              .where(sql<boolean>`lane = ${lane}`)
              .execute()
      await writeMark(transaction, 'log_batch', {
        copiedTo: batches.at(-1)?.position ?? mark.copiedTo,
        isComplete: batches.length === 0,
      })
    })
    onProgress?.({ table: 'log_batch', rows: batches.length })
  }
}

type Cursor = Selectable<Tables['log_cursor']>

/** Returns the consumers that have done a part of a batch, by the position of that batch: the first behind their cursors. */
async function batchesInPart(
  source: CopyParts['source'],
  cursors: readonly Cursor[],
): Promise<ReadonlyMap<number, readonly Cursor[]>> {
  const found = new Map<number, Cursor[]>()
  for (const cursor of cursors.filter(({ events_done }) => events_done > 0)) {
    const next = await source
      .selectFrom('log_batch')
      .select('position')
      .where('workspace_id', '=', cursor.workspace_id)
      .where('position', '>', cursor.position)
      .orderBy('position')
      .limit(1)
      .executeTakeFirst()
    if (next) found.set(next.position, [...(found.get(next.position) ?? []), cursor])
  }
  return found
}

/** Returns how many of the first events of a batch are in each lane. */
function lanesOfFirst({ events_json }: Batch, count: number): ReadonlyMap<number, number> {
  const lanes = new Map<number, number>()
  for (const event of (JSON.parse(events_json) as readonly Event[]).slice(0, count))
    lanes.set(laneOf(event), (lanes.get(laneOf(event)) ?? 0) + 1)
  return lanes
}

/** Returns the batches behind a position, as many as fit: one at least, unless there is none. */
export async function nextBatches(source: CopyParts['source'], after: number): Promise<readonly Batch[]> {
  const behind = source.selectFrom('log_batch').where('position', '>', after).orderBy('position').limit(batchesMax)
  let bytes = 0
  const sizes = await behind.select(['position', 'bytes']).execute()
  const fitting = sizes.filter((size, place) => {
    bytes += size.bytes
    return place === 0 || bytes <= bytesMax
  })
  const last = fitting.at(-1)
  return last === undefined ? [] : behind.selectAll().where('position', '<=', last.position).execute()
}

/** Returns a row per lane of the users of a batch, at positions of their own. */
async function splitByLane(query: Query, batch: Batch): Promise<readonly LaneRow[]> {
  const byLane = new Map<number, Event[]>()
  for (const event of JSON.parse(batch.events_json) as readonly Event[]) {
    const known = byLane.get(laneOf(event))
    if (known) known.push(event)
    else byLane.set(laneOf(event), [event])
  }
  const positions = await query<{ position: number }>(
    `select nextval('log_position') as position from generate_series(1, $1)`,
    [byLane.size],
  )
  return [...byLane].map(([lane, events], place) => {
    const { workspace_id, source_id, write_key, received_at, destination_ids_json } = batch
    const text = JSON.stringify(events)
    return {
      workspace_id,
      lane,
      position: positions[place]?.position ?? 0,
      source_id,
      write_key,
      received_at,
      destination_ids_json,
      events_json: text,
      bytes: Buffer.byteLength(text),
    }
  })
}

/** Rows of one statement, which may have 65,535 values. */
const rowsPerStatement = 1_000

async function insertLog(db: Parameters<typeof insertRows>[0], rows: readonly LaneRow[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  for (let from = 0; from < rows.length; from += rowsPerStatement)
    await insertRows(db, 'log_batch', columns, rows.slice(from, from + rowsPerStatement))
}
