import type { Event } from '@sluice/core'
import type { NewLogBatch } from '@sluice/pipeline'
import type { Query } from '../../connect/connect.ts'
import type { LaneBatch } from '../lane-batch.ts'
import type { AppendCall } from './append-call.ts'

/** Between the texts of rows, which as an array would have to be escaped. JSON text contains no such character. */
const separator = 0x1e
const [opening, comma, closing] = [0x5b, 0x2c, 0x5d]

/** A row of the log before it has a position. */
export interface LogRow {
  /** Places of its calls in the group. */
  readonly from: Set<number>
  readonly batch: NewLogBatch
  readonly lane: number
  /** Its events, and the JSON text of each. */
  readonly events: Event[]
  readonly texts: string[]
  /** Whether the events are exactly what their texts say. */
  isExact: boolean
}

export interface StoredRow {
  /** Places of its calls in the group. */
  readonly from: ReadonlySet<number>
  readonly isExact: boolean
  readonly batch: LaneBatch
}

/**
 * Returns one row per source and lane. Calls that come together share rows, because a row costs as much as an event.
 * @param duplicates of each call, the places of events that are left out.
 */
export function rowsOf(
  calls: readonly AppendCall[],
  duplicates: readonly (readonly number[])[] = [],
): readonly LogRow[] {
  const rows = new Map<string, LogRow>()
  for (const [call, { batch, texts, lanes }] of calls.entries()) {
    const left = new Set(duplicates[call])
    const origin = JSON.stringify([batch.workspaceId, batch.sourceId, batch.writeKey, batch.destinationIds])
    for (const [place, text] of texts.entries()) {
      if (left.has(place)) continue
      const lane = lanes[place] ?? 0
      const key = `${lane} ${origin}`
      const row = rows.get(key) ?? { from: new Set(), batch, lane, events: [], texts: [], isExact: true }
      rows.set(key, row)
      row.from.add(call)
      row.texts.push(text)
      const event = batch.events[place]
      if (event) row.events.push(event)
      row.isExact &&= batch.isExact === true
    }
  }
  return [...rows.values()]
}

/**
 * Writes the events of rows as lists of JSON, one after the other, right into the bytes that are sent: joined as strings,
 * they would be copied several times. @returns them, and the bytes of each list.
 */
export function textOf(rows: readonly LogRow[]): { readonly text: Buffer; readonly sizes: readonly number[] } {
  // Two brackets, and a comma between two events.
  const sizes = rows.map(({ texts }) => texts.reduce((sum, text) => sum + Buffer.byteLength(text), texts.length + 1))
  const text = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + size, Math.max(0, rows.length - 1)))
  let at = 0
  for (const [place, { texts }] of rows.entries()) {
    if (place > 0) text[at++] = separator
    for (const [n, each] of texts.entries()) {
      text[at++] = n === 0 ? opening : comma
      at += text.write(each, at)
    }
    text[at++] = closing
  }
  return { text, sizes }
}

export function storedRow(row: LogRow, position: number, bytes: number): StoredRow {
  const { from, batch, lane, texts, events, isExact } = row
  const { isExact: _, ...rest } = batch
  return { from, isExact: isExact && events.length === texts.length, batch: { ...rest, events, lane, bytes, position } }
}

/** Finds rows that a statement has stored whose answer was lost: the newest ones that look like them. */
export async function findStored(query: Query, rows: readonly LogRow[]): Promise<readonly StoredRow[]> {
  const { sizes } = textOf(rows)
  const found = await query<{ position: number | null }>(newestLike, [
    rows.map(({ batch }) => batch.workspaceId),
    rows.map(({ lane }) => lane),
    rows.map(({ batch }) => batch.sourceId),
    rows.map(({ batch }) => batch.receivedAt),
    sizes,
  ])
  return rows.map((row, index) => {
    const stored = storedRow(row, found[index]?.position ?? 0, sizes[index] ?? 0)
    // One of another process may look the same, so that readers get what is stored.
    return { ...stored, isExact: false }
  })
}

const newestLike = `
  select (
    select position from log_batch as batch
    where batch.workspace_id = offered.workspace_id and batch.lane = offered.lane
      and batch.source_id = offered.source_id and batch.received_at = offered.received_at and batch.bytes = offered.bytes
    order by position desc limit 1
  ) as position
  from unnest($1::text[], $2::int[], $3::text[], $4::bigint[], $5::bigint[]) with ordinality
    as offered (workspace_id, lane, source_id, received_at, bytes, place)
  order by place`
