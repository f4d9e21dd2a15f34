/** Ids that are remembered: a store in memory answers at once, so that only the newest may come again. */
const idsMax = 10_000

/** Knows the writes that a store in memory has applied. */
export class WriteIds {
  readonly #ids = new Set<string>()

  /** Notes a write. @returns false when one with its id was noted before; true for one without an id. */
  note(writeId: string | undefined): boolean {
    if (writeId === undefined) return true
    if (this.#ids.has(writeId)) return false
    this.#ids.add(writeId)
    const [oldest] = this.#ids
    if (this.#ids.size > idsMax && oldest !== undefined) this.#ids.delete(oldest)
    return true
  }
}
