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
  #bytes = 0

  /**
   * @param bytesMax size of all batches, measured by their JSON texts; the parsed events take several times as much.
   */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /**
   * Adds a stored batch. Must be called in order of position, before any consumer learns of the batch.
   * @param bytes of the JSON text of its events.
   * @param logId the log it is in, where a workspace has several.
   * @param before a position behind which the log has no batch before this one.
   */
  add(batch: Batch, bytes: number, logId = batch.workspaceId, before = batch.position - 1): void {
    const { position } = batch
    const log = this.#logs.get(logId) ?? { complete: before, entries: [], first: 0 }
    if (position <= (log.entries.at(-1)?.position ?? log.complete)) {
      this.forget(logId)
      return
    }
    log.entries.push({ position, batch, bytes })
    this.#bytes += bytes
    // Moved to the end, so that the first log is the one not written to for the longest time.
    this.#logs.delete(logId)
    this.#logs.set(logId, log)
    while (this.#bytes > this.#bytesMax) this.#dropOldest()
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
    while (log && (log.entries[log.first]?.position ?? Number.POSITIVE_INFINITY) <= position)
      this.#dropFirst(logId, log)
  }

  /** Removes all batches of a log, because the stored ones have changed. */
  forget(logId: string): void {
    const { entries = [], first } = this.#logs.get(logId) ?? {}
    for (const { bytes } of entries.slice(first)) this.#bytes -= bytes
    this.#logs.delete(logId)
  }

  #dropOldest(): void {
    const [logId, log] = this.#logs.entries().next().value ?? []
    if (logId !== undefined && log !== undefined) this.#dropFirst(logId, log)
  }

  #dropFirst(logId: string, log: RecentLog<Batch>): void {
    const oldest = log.entries[log.first]
    if (oldest) {
      this.#bytes -= oldest.bytes
      log.complete = oldest.position
      delete oldest.batch
      log.first += 1
    }
    if (log.first === log.entries.length) this.#logs.delete(logId)
    // Rarely, because removing the front of a long array moves all the other entries.
    else if (log.first > gapMax && log.first * 2 > log.entries.length) {
      log.entries.splice(0, log.first)
      log.first = 0
    }
  }
}

/** Number of empty entries allowed at the front. */
const gapMax = 1_000

interface RecentLog<Batch> {
  /** Every batch after this position is in `entries`. */
  complete: LogPosition
  /** In order of position; those before `first` are empty. */
  readonly entries: { readonly position: LogPosition; batch?: Batch; readonly bytes: number }[]
  first: number
}
