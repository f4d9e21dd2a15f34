import type { LogBatch, LogPosition } from '@sluice/pipeline'
import { countFitting } from './count-fitting.ts'
import { firstBehind } from './first-behind.ts'

/**
 * Cache of the newest batches of logs that only this process writes. Consumers that keep up read from it instead of the
 * store, and share one parsed copy of the events.
 */
export class RecentBatches<Batch extends LogBatch = LogBatch> {
  readonly #bytesMax: number
  readonly #logs = new Map<string, RecentLog<Batch>>()
  /** Entries of all logs in the order in which they came. Those before `#oldest` are gone, and others may be. */
  #queue: Entry<Batch>[] = []
  #oldest = 0
  #bytes = 0
  #count = 0

  /**
   * @param bytesMax size of all batches, measured by their JSON texts; the parsed events take several times as much.
   */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /**
   * Adds a stored batch. Must be called in order of position, before any consumer learns of the batch. Those that came
   * first, in any log, make room for it.
   * @param bytes of the JSON text of its events.
   * @param logId the log it is in, where a workspace has several.
   * @param before a position behind which the log has no batch before this one.
   */
  add(batch: Batch, bytes: number, logId = batch.workspaceId, before = batch.position - 1): void {
    const { position } = batch
    const log = this.#logs.get(logId) ?? { id: logId, complete: before, entries: [], first: 0 }
    if (position <= (log.entries.at(-1)?.position ?? log.complete)) {
      this.forget(logId)
      return
    }
    const entry = { position, batch, bytes, log }
    log.entries.push(entry)
    this.#queue.push(entry)
    this.#bytes += bytes
    this.#count += 1
    this.#logs.set(logId, log)
    while (this.#bytes > this.#bytesMax) this.#dropOldest()
    this.#tidy()
  }

  /** Same as `EventLog.read`; undefined when some of the batches are not cached. */
  read(logId: string, after: LogPosition, limit: number, bytesMax?: number): readonly Batch[] | undefined {
    const log = this.#logs.get(logId)
    if (log === undefined || after < log.complete) return undefined
    const from = firstBehind(log.entries, after, log.first)
    const behind = log.entries.slice(from, from + limit)
    return behind.slice(0, countFitting(behind, bytesMax)).flatMap(({ batch }) => batch ?? [])
  }

  /** Removes the batches up to a position. */
  drop(logId: string, position: LogPosition): void {
    const log = this.#logs.get(logId)
    while (log && (log.entries[log.first]?.position ?? Number.POSITIVE_INFINITY) <= position) this.#dropFirst(log)
  }

  /** Removes all batches of a log, because the stored ones have changed. */
  forget(logId: string): void {
    const { entries = [], first } = this.#logs.get(logId) ?? {}
    for (const entry of entries.slice(first)) this.#empty(entry)
    this.#logs.delete(logId)
  }

  /** The oldest one is the first of its log, because each log is in order. */
  #dropOldest(): void {
    const oldest = this.#queue[this.#oldest]
    this.#oldest += 1
    if (oldest?.batch) this.#dropFirst(oldest.log)
  }

  #dropFirst(log: RecentLog<Batch>): void {
    const first = log.entries[log.first]
    if (first) {
      this.#empty(first)
      log.complete = first.position
      log.first += 1
    }
    if (log.first === log.entries.length) this.#logs.delete(log.id)
    // Rarely, because removing the front of a long array moves all the other entries.
    else if (log.first > gapMax && log.first * 2 > log.entries.length) {
      log.entries.splice(0, log.first)
      log.first = 0
    }
  }

  #empty(entry: Entry<Batch>): void {
    if (entry.batch === undefined) return
    delete entry.batch
    this.#bytes -= entry.bytes
    this.#count -= 1
  }

  /** Shortens the queue when most of it is gone. */
  #tidy(): void {
    if (this.#queue.length < gapMax || this.#queue.length < 2 * this.#count) return
    this.#queue = this.#queue.slice(this.#oldest).filter(({ batch }) => batch !== undefined)
    this.#oldest = 0
  }
}

/** Number of empty entries allowed at the front. */
const gapMax = 1_000

interface Entry<Batch> {
  readonly position: LogPosition
  /** Undefined once it is dropped. */
  batch?: Batch
  readonly bytes: number
  readonly log: RecentLog<Batch>
}

interface RecentLog<Batch> {
  readonly id: string
  /** Every batch after this position is in `entries`. */
  complete: LogPosition
  /** In order of position; those before `first` are empty. */
  readonly entries: Entry<Batch>[]
  first: number
}
