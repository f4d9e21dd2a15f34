import type { LogBatch, LogPosition } from '@sluice/pipeline'
import { countFitting } from './count-fitting.ts'
import { firstBehind } from './first-behind.ts'

/**
 * Cache of the newest batches of logs that only this process writes. Consumers that keep up read from it instead of the
 * store, and share one parsed copy of the events.
 */
export class RecentBatches {
  readonly #bytesMax: number
  readonly #logs = new Map<string, RecentLog>()
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
   */
  add(batch: LogBatch, bytes: number): void {
    const { workspaceId, position } = batch
    const log = this.#logs.get(workspaceId) ?? { complete: position - 1, entries: [], first: 0 }
    if (position <= (log.entries.at(-1)?.position ?? log.complete)) {
      this.forget(workspaceId)
      return
    }
    log.entries.push({ position, batch, bytes })
    this.#bytes += bytes
    // Moved to the end, so that the first log is the one not written to for the longest time.
    this.#logs.delete(workspaceId)
    this.#logs.set(workspaceId, log)
    while (this.#bytes > this.#bytesMax) this.#dropOldest()
  }

  /** Same as `EventLog.read`; undefined when some of the batches are not cached. */
  read(workspaceId: string, after: LogPosition, limit: number, bytesMax?: number): readonly LogBatch[] | undefined {
    const log = this.#logs.get(workspaceId)
    if (log === undefined || after < log.complete) return undefined
    const from = firstBehind(log.entries, after, log.first)
    const behind = log.entries.slice(from, from + limit)
    return behind.slice(0, countFitting(behind, bytesMax)).flatMap(({ batch }) => batch ?? [])
  }

  /** Removes the batches up to a position. */
  drop(workspaceId: string, position: LogPosition): void {
    const log = this.#logs.get(workspaceId)
    while (log && (log.entries[log.first]?.position ?? Number.POSITIVE_INFINITY) <= position)
      this.#dropFirst(workspaceId, log)
  }

  /** Removes all batches of a workspace, because the stored ones have changed. */
  forget(workspaceId: string): void {
    const { entries = [], first } = this.#logs.get(workspaceId) ?? {}
    for (const { bytes } of entries.slice(first)) this.#bytes -= bytes
    this.#logs.delete(workspaceId)
  }

  #dropOldest(): void {
    const [workspaceId, log] = this.#logs.entries().next().value ?? []
    if (workspaceId !== undefined && log !== undefined) this.#dropFirst(workspaceId, log)
  }

  #dropFirst(workspaceId: string, log: RecentLog): void {
    const oldest = log.entries[log.first]
    if (oldest) {
      this.#bytes -= oldest.bytes
      log.complete = oldest.position
      delete oldest.batch
      log.first += 1
    }
    if (log.first === log.entries.length) this.#logs.delete(workspaceId)
    // Rarely, because removing the front of a long array moves all the other entries.
    else if (log.first > gapMax && log.first * 2 > log.entries.length) {
      log.entries.splice(0, log.first)
      log.first = 0
    }
  }
}

/** Number of empty entries allowed at the front. */
const gapMax = 1_000

interface RecentLog {
  /** Every batch after this position is in `entries`. */
  complete: LogPosition
  /** In order of position; those before `first` are empty. */
  readonly entries: { readonly position: LogPosition; batch?: LogBatch; readonly bytes: number }[]
  first: number
}
