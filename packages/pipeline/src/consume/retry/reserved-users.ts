/** Users of whom events are deferred and not recorded yet, and how many. Later events of theirs must not overtake these. */
export class ReservedUsers {
  readonly #counts = new Map<string, number>()

  has(userKey: string): boolean {
    return this.#counts.has(userKey)
  }

  add(userKey: string): void {
    this.#counts.set(userKey, (this.#counts.get(userKey) ?? 0) + 1)
  }

  /** Once for each `add`. */
  remove(userKey: string): void {
    const left = (this.#counts.get(userKey) ?? 1) - 1
    if (left > 0) this.#counts.set(userKey, left)
    else this.#counts.delete(userKey)
  }

  clear(): void {
    this.#counts.clear()
  }
}
