import type { Event } from '@sluice/core'
import type {
  Appended,
  CountDelta,
  Deduplication,
  KeptBatches,
  LogBatch,
  LogPosition,
  LogUsage,
  NewLogBatch,
  Progress,
} from '@sluice/pipeline'
import type { NewVersion } from '@sluice/schema'
import type { ReceiptRow } from '../stores/flow/receipt-rows.ts'

/** A batch as it is stored. Members named `*_json` hold JSON text. */
export interface LogRow {
  readonly workspace_id: string
  readonly source_id: string
  readonly write_key: string
  /** Milliseconds since the epoch. */
  readonly received_at: number
  readonly destination_ids_json: string
  readonly events_json: string
  /** Size of `events_json`. */
  readonly bytes: number
}

/** Progress with its receipts as they are stored, and what was observed as text. */
export interface ProgressRow extends Omit<Progress, 'receipts' | 'observed'> {
  readonly receipts: readonly ReceiptRow[]
  readonly observed_json?: string
}

export interface StoredLogRow extends LogRow {
  readonly position: LogPosition
}

/** The promises of `EventLog` in terms of rows, which can be passed between threads. */
export interface LogRows {
  append(row: LogRow, counts: readonly CountDelta[]): Promise<LogPosition>
  /** @param messageIds ids of the events, in order. */
  appendNew(
    row: LogRow,
    counts: readonly CountDelta[],
    messageIds: readonly string[],
    deduplication: Deduplication,
  ): Promise<Appended>
  requireRoom(workspaceId: string): Promise<void>
  usage(workspaceId: string): Promise<LogUsage>
  register(workspaceId: string, consumer: string): Promise<LogPosition>
  read(workspaceId: string, after: LogPosition, limit: number, bytesMax?: number): Promise<readonly StoredLogRow[]>
  /** @returns the versions stored for the first time. */
  commit(progress: ProgressRow): Promise<readonly NewVersion[]>
  cursors(workspaceId: string): Promise<ReadonlyMap<string, LogPosition>>
  eventsDone(workspaceId: string, consumer: string): Promise<number>
  workspaces(): Promise<readonly string[]>
  unregister(workspaceId: string, consumer: string): Promise<void>
  end(workspaceId: string): Promise<LogPosition>
  /** @returns the newest position ever deleted. */
  trim(workspaceId: string, kept: KeptBatches): Promise<LogPosition>
  forgetUsers(workspaceId: string, userIds: readonly string[]): Promise<number>
}

/** Returns a row without the events at some indexes, given in order; undefined when none are left. */
export function rowWithout(row: LogRow, places: readonly number[]): LogRow | undefined {
  if (places.length === 0) return row
  const left = new Set(places)
  const events = (JSON.parse(row.events_json) as readonly unknown[]).filter((_, place) => !left.has(place))
  const events_json = JSON.stringify(events)
  return events.length === 0 ? undefined : { ...row, events_json, bytes: Buffer.byteLength(events_json) }
}

/** Returns the events at some places of a batch. */
export function eventsAt(row: LogRow, places: readonly number[]): readonly Event[] {
  if (places.length === 0) return []
  const wanted = new Set(places)
  return (JSON.parse(row.events_json) as readonly Event[]).filter((_, place) => wanted.has(place))
}

/** Serializes a batch immediately, so that a bad event fails its own call only, and the caller may change its array. */
export function rowOf(batch: NewLogBatch): LogRow {
  const events_json = JSON.stringify(batch.events)
  return {
    workspace_id: batch.workspaceId,
    source_id: batch.sourceId,
    write_key: batch.writeKey,
    received_at: batch.receivedAt,
    destination_ids_json: JSON.stringify(batch.destinationIds),
    events_json,
    bytes: Buffer.byteLength(events_json),
  }
}

export function batchOf(row: StoredLogRow): LogBatch {
  return {
    position: row.position,
    workspaceId: row.workspace_id,
    sourceId: row.source_id,
    writeKey: row.write_key,
    receivedAt: row.received_at,
    destinationIds: JSON.parse(row.destination_ids_json),
    events: JSON.parse(row.events_json),
  }
}
