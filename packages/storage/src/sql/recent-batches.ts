import type { LogBatch, LogPosition } from '@sluice/pipeline'

/**
 * The newest batches of a log that only this process writes to, so that consumers that keep up need not ask the store,
 * and share one parsed copy of the events.
 */
export class RecentBatches {
  readonly #bytesMax: number
  readonly #logs = new Map<string, RecentLog>()
  #bytes = 0

  /** @param bytesMax how much they may hold together, measured by their JSON texts; what is parsed takes some times more. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Keeps a batch that was stored. To be called in the order of positions, before anybody is told of the batch. */
  add(batch: LogBatch, bytes: number): void {
    const { workspaceId, position } = batch
    const log = this.#logs.get(workspaceId) ?? { complete: position - 1, entries: [] }
    if (position <= (log.entries.at(-1)?.batch.position ?? log.complete)) {
      this.forget(workspaceId)
      return
    }
    log.entries.push({ batch, bytes })
    this.#bytes += bytes
    // Back to the end of the line: the first log is the one not written to for longest.
    this.#logs.delete(workspaceId)
    this.#logs.set(workspaceId, log)
    while (this.#bytes > this.#bytesMax) this.#dropOldest()
  }

  /** The batches behind `after`, at most `limit`; undefined when they are not all here. */
  read(workspaceId: string, after: LogPosition, limit: number): readonly LogBatch[] | undefined {
    const log = this.#logs.get(workspaceId)
    if (log === undefined || after < log.complete) return undefined
    const { entries } = log
    // Who reads stands near the end mostly.
    let from = entries.length
    while (from > 0 && (entries[from - 1]?.batch.position ?? 0) > after) from -= 1
    return entries.slice(from, from + limit).map(({ batch }) => batch)
  }

  /** Lets go of the batches up to a position. */
  drop(workspaceId: string, position: LogPosition): void {
    const log = this.#logs.get(workspaceId)
    while (log?.entries[0] && log.entries[0].batch.position <= position) this.#dropFirst(workspaceId, log)
  }

  /** Of a workspace, until new ones come: what is stored has changed. */
  forget(workspaceId: string): void {
    for (const { bytes } of this.#logs.get(workspaceId)?.entries ?? []) this.#bytes -= bytes
    this.#logs.delete(workspaceId)
  }

  #dropOldest(): void {
    const [workspaceId, log] = this.#logs.entries().next().value ?? []
    if (workspaceId !== undefined && log !== undefined) this.#dropFirst(workspaceId, log)
  }

  #dropFirst(workspaceId: string, log: RecentLog): void {
    const oldest = log.entries.shift()
    if (oldest) {
      this.#bytes -= oldest.bytes
      log.complete = oldest.batch.position
    }
    if (log.entries.length === 0) this.#logs.delete(workspaceId)
  }
}

interface RecentLog {
  /** Every batch behind this position is among the entries. */
  complete: LogPosition
  readonly entries: { readonly batch: LogBatch; readonly bytes: number }[]
}
