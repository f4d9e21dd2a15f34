import type { Event } from '@sluice/core'
import type { SchemaDelta } from '@sluice/schema'
import type { Appended, Deduplication } from './deduplication.ts'
import type { DeferredEvent } from './deferred-event.ts'
import type { LogPosition } from './log-position.ts'
import type { CountDelta } from './stores/counter-store.ts'
import type { DeadLetter } from './stores/dead-letter-store.ts'
import type { EventReceipt } from './stores/receipt-store.ts'

/** The accepted events of one ingest call: one source, in the order they were sent. */
export interface NewLogBatch {
  readonly workspaceId: string
  readonly sourceId: string
  readonly writeKey: string
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  /** The destinations that were connected when the batch was accepted: each owes every event of it one outcome. */
  readonly destinationIds: readonly string[]
  /** At least one. */
  readonly events: readonly Event[]
  /**
   * The events are exactly what their JSON texts say, and never change: readers may get these very objects.
   * Left out, the log goes by the texts.
   */
  readonly isExact?: boolean
}

/** As read: not to be changed, other readers may be given the same objects. */
export interface LogBatch extends Omit<NewLogBatch, 'isExact'> {
  readonly position: LogPosition
  /** Where the store has it, if `position` only counts what a consumer was given: see `ConsumerLog`. */
  readonly stored?: StoredPlace
}

/** A place in one of several lanes of a log. */
interface StoredPlace {
  readonly lane: number
  readonly position: LogPosition
  /** Events of the batch that were done before, and are left out. */
  readonly skipped: number
}

/** Batches that a consumer reads at a time: enough to fill a sandbox call, few enough to hold in memory. */
export const readBatchesMax = 10

/** What one consumer made of the log up to a position. */
export interface Progress {
  readonly workspaceId: string
  readonly consumer: string
  /** The last batch that is done; the cursor is behind it. */
  readonly position: LogPosition
  /** How many events of the batch behind `position` are done, too: a large batch may take long. Default 0. */
  readonly eventsDone?: number
  readonly counts: readonly CountDelta[]
  readonly receipts: readonly EventReceipt[]
  /** Events that are to be tried again later, and events that failed. */
  readonly deferred?: readonly DeferredEvent[]
  readonly deadLetters?: readonly DeadLetter[]
  /** Of the observing consumer only. */
  readonly observed?: SchemaDelta
}

/** Which of the batches that everybody has passed are kept, to be looked at or replayed. */
export interface KeptBatches {
  /** Those received at this time or later, in milliseconds since the epoch … */
  readonly since: number
  /** … as long as the log of the workspace is not larger, measured by the JSON texts of its events in bytes. */
  readonly bytesMax: number
}

/** What the log of a workspace takes, in bytes of the JSON texts of its events. */
export interface LogUsage {
  readonly bytes: number
  /** What the logs of all workspaces may take, and the part that is kept for this one; where there is a limit. */
  readonly budget?: { readonly bytes: number; readonly reserved: number }
}

/** The log as one consumer of this process reads it. */
export interface ConsumerLog {
  /** Where it continues. Positions of a consumer compare with each other only. */
  readonly cursor: LogPosition
  /** How many events of the batch behind the cursor are done already. */
  readonly eventsDone: number
  /** As `EventLog.read`, without what the consumer is not to process in this process. */
  read(after: LogPosition, limit: number, bytesMax?: number): Promise<readonly LogBatch[]>
  /** When the oldest batch behind a position was received, in milliseconds since the epoch; undefined without one. */
  oldestBehind(position: LogPosition): Promise<number | undefined>
  /** As `EventLog.commit`. */
  commit(progress: Omit<Progress, 'workspaceId' | 'consumer'>): Promise<void>
  /** Calls the listener when there may be more to read. @returns how to stop it. */
  watch(listener: () => void): () => void
}

/**
 * The event log: batches as rows, and one durable cursor per consumer. Nothing in it assumes that reader and writer
 * share a process. Suppressed events never get here.
 */
export interface EventLog {
  /**
   * Durable when the promise resolves, together with the counts.
   * @throws StoreFullError when the disk budget is used up, or what is left of it is kept for other workspaces; nothing is
   * stored then.
   */
  append(batch: NewLogBatch, counts: readonly CountDelta[]): Promise<LogPosition>
  /**
   * Appends what of a batch was not accepted before, and remembers it, in one step: of calls at once, each messageId of a
   * source is accepted by one. Counts of `accepted` are lowered by the duplicates: see `withDuplicates`.
   * @throws StoreFullError as `append`.
   */
  appendNew(batch: NewLogBatch, counts: readonly CountDelta[], deduplication: Deduplication): Promise<Appended>
  /**
   * Checks for room as `append` does, for a call that stores nothing: its sender must get the same answer.
   * @throws StoreFullError as `append`.
   */
  requireRoom(workspaceId: string): Promise<void>
  usage(workspaceId: string): Promise<LogUsage>
  /**
   * Makes a consumer known. A new one starts at the end of the log: it owes no earlier event. A known one
   * stays where it is.
   * @returns its cursor.
   */
  register(workspaceId: string, consumer: string): Promise<LogPosition>
  /**
   * The batches behind `after`, in order, at most `limit`. With `bytesMax` no more than have so many bytes of JSON text
   * together, but always the first one.
   */
  read(workspaceId: string, after: LogPosition, limit: number, bytesMax?: number): Promise<readonly LogBatch[]>
  /**
   * Stores the cursor and everything that was learnt on the way to it, whole or not at all. A progress at or before the
   * stored cursor, by `position` and then by `eventsDone`, changes nothing, so a commit whose answer was lost can be
   * repeated.
   */
  commit(progress: Progress): Promise<void>
  /** Every consumer that was registered, with its cursor, in order of name. */
  cursors(workspaceId: string): Promise<ReadonlyMap<string, LogPosition>>
  /** How many events of the batch behind its cursor a consumer has done; 0 for one that is not registered. */
  eventsDone(workspaceId: string, consumer: string): Promise<number>
  /** The workspaces with a registered consumer, in order of id. */
  workspaces(): Promise<readonly string[]>
  /** Forgets a consumer, so that it no longer holds batches back. */
  unregister(workspaceId: string, consumer: string): Promise<void>
  /** The position of the newest batch ever appended, 0 when there was none. */
  end(workspaceId: string): Promise<LogPosition>
  /** Forgets, the oldest first, batches that every registered consumer has passed and that are not to be kept. */
  trim(workspaceId: string, kept: KeptBatches): Promise<void>
  /**
   * Puts an erased event (`{}`, which no ingestion makes) in the place of every event of some users, passed by consumers
   * or not. Consumers treat it as suppressed. It reads the log once, piece by piece: others write in between.
   * @param userIds as cleaned text.
   * @returns how many there were.
   */
  forgetUsers(workspaceId: string, userIds: readonly string[]): Promise<number>
  /**
   * Opens the log for a registered consumer. Left out, the consumer reads and commits all of it, as the methods above say.
   */
  open?(workspaceId: string, consumer: string): Promise<ConsumerLog>
  /**
   * Resolves with true once a consumer, or without one all of them, have passed what was appended so far, and nothing
   * waits to be tried again; with false when `signal` aborts before. Left out where one process reads all of the log: it
   * knows by itself.
   */
  settled?(workspaceId: string, consumer: string | undefined, signal: AbortSignal): Promise<boolean>
  /** Calls the listener after batches were appended to the workspace. @returns how to stop it. */
  watch(workspaceId: string, listener: () => void): () => void
}
