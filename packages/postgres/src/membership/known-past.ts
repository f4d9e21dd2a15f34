import type { LogPosition } from '@sluice/pipeline'

/** Batches that are remembered: at 17 bytes each, some 4 MB, and the last minute of 4,000 batches a second. */
const batchesMax = 2 ** 18

/** Batches that are read at once from another one. */
const batchesPerPart = 1_000

/** A batch of the log that is known to be stored. */
export interface KnownBatch {
  readonly workspaceId: string
  readonly lane: number
  readonly position: LogPosition
  readonly events: number
}

/** What the database says of itself: the last position that was drawn, and how many changes were made. */
export interface DatabaseState {
  readonly end: LogPosition
  readonly changes: number
}

/**
 * What this process knows the database to have stored: the newest batches that were acknowledged to it or that it has read, and
 * the highest numbers. A database that lacks any of it is in an earlier state.
 */
export class KnownPast {
  readonly #positions: Float64Array
  readonly #workspaces: Uint32Array
  readonly #lanes: Uint8Array
  readonly #events: Uint32Array
  readonly #workspaceIds: string[] = []
  readonly #workspaceNumbers = new Map<string, number>()
  #added = 0
  #highest: LogPosition = 0
  #changes = 0
  /** The highest position of a batch that may be stored and is not remembered. */
  #forgotten: LogPosition = 0
  #mayLack = true

  /** @param max batches that are remembered. */
  constructor(max = batchesMax) {
    this.#positions = new Float64Array(max)
    this.#workspaces = new Uint32Array(max)
    this.#lanes = new Uint8Array(max)
    this.#events = new Uint32Array(max)
  }

  /** The highest position that was ever seen. */
  get highest(): LogPosition {
    return this.#highest
  }

  /** The highest number of changes that was ever seen. */
  get changes(): number {
    return this.#changes
  }

  /**
   * Batches with larger positions than this are remembered here or by another process that takes part. Everything may be
   * missing before the database is seen for the first time.
   */
  get forgotten(): LogPosition {
    return this.#mayLack ? Number.MAX_SAFE_INTEGER : this.#forgotten
  }

  /** A process is gone that may have known more: batches that the database has when it is seen next may be remembered by none. */
  mayLack(): void {
    this.#mayLack = true
  }

  /** Remembers what another one knows of the same database, too. */
  addAll(other: KnownPast): void {
    for (const batches of other.batches(batchesPerPart)) for (const batch of batches) this.add(batch)
    this.saw({ end: other.highest, changes: other.changes })
  }

  add({ workspaceId, lane, position, events }: KnownBatch): void {
    const max = this.#positions.length
    const place = this.#added % max
    if (this.#added >= max) this.#forgotten = Math.max(this.#forgotten, this.#positions[place] ?? 0)
    this.#positions[place] = position
    this.#workspaces[place] = this.#numberOf(workspaceId)
    this.#lanes[place] = lane
    this.#events[place] = events
    this.#added += 1
    this.#highest = Math.max(this.#highest, position)
  }

  /** Returns whether the database is in an earlier state than one that was seen. */
  isAhead({ end, changes }: DatabaseState): boolean {
    return end < this.#highest || changes < this.#changes
  }

  saw({ end, changes }: DatabaseState): void {
    this.#highest = Math.max(this.#highest, end)
    this.#changes = Math.max(this.#changes, changes)
    if (this.#mayLack) this.#forgotten = this.#highest
    this.#mayLack = false
  }

  /** Yields the batches that are remembered, in parts of some length. */
  *batches(length: number): Generator<readonly KnownBatch[]> {
    const kept = Math.min(this.#added, this.#positions.length)
    for (let from = 0; from < kept; from += length)
      yield Array.from({ length: Math.min(length, kept - from) }, (_, n) => this.#at(from + n))
  }

  #at(place: number): KnownBatch {
    return {
      workspaceId: this.#workspaceIds[this.#workspaces[place] ?? 0] ?? '',
      lane: this.#lanes[place] ?? 0,
      position: this.#positions[place] ?? 0,
      events: this.#events[place] ?? 0,
    }
  }

  #numberOf(workspaceId: string): number {
    const known = this.#workspaceNumbers.get(workspaceId)
    if (known !== undefined) return known
    const number = this.#workspaceIds.push(workspaceId) - 1
    this.#workspaceNumbers.set(workspaceId, number)
    return number
  }
}
