interface Line<Item> {
  readonly items: Item[]
  /** Work charged to this owner so far. An owner that returns after a pause gets no credit for the pause. */
  used: number
}

/**
 * A queue shared fairly by several owners, such as workspaces. The next item always belongs to the owner with the least
 * work charged. An owner that queues a thousand items therefore delays an owner with a single item by one turn, not by
 * a thousand.
 *
 * Work is charged with `charge`, in any unit, as long as it is the same for all owners. Items of one owner keep their
 * order. Stores one number for each owner that has items or has used more than the others. Source: start-time fair
 * queueing, Goyal, Vin and Cheng, SIGCOMM 1996.
 */
export class FairQueue<Item> {
  readonly #lines = new Map<string, Line<Item>>()
  #length = 0
  /** Work charged to the most recently served owner when it was served. New owners start from this number. */
  #floor = 0

  /** Number of items of all owners. */
  get length(): number {
    return this.#length
  }

  /** Adds an item after those of its owner. */
  push(owner: string, item: Item): void {
    this.#lineFor(owner).items.push(item)
    this.#length += 1
  }

  /** Adds an item before those of its owner, for work that was started and must be repeated. */
  unshift(owner: string, item: Item): void {
    this.#lineFor(owner).items.unshift(item)
    this.#length += 1
  }

  /** Owners with items, in the order of their turns. */
  owners(): readonly string[] {
    const waiting = [...this.#lines].filter(([, { items }]) => items.length > 0)
    if (waiting.length > 1) waiting.sort(([, a], [, b]) => a.used - b.used)
    return waiting.map(([owner]) => owner)
  }

  /** Returns the item that `take` would remove. */
  peek(owner: string): Item | undefined {
    return this.#lines.get(owner)?.items[0]
  }

  /** Removes the first item of an owner. */
  take(owner: string): Item | undefined {
    const line = this.#lines.get(owner)
    if (line === undefined || line.items.length === 0) return undefined
    const item = line.items.shift()
    this.#length -= 1
    this.#floor = Math.max(this.#floor, line.used)
    this.#forgetIfIdle(owner, line)
    return item
  }

  /** Removes the first item of the owner whose turn is next. */
  shift(): Item | undefined {
    const [owner] = this.owners()
    return owner === undefined ? undefined : this.take(owner)
  }

  /** Removes an item from any position. @returns false when it is not in the queue. */
  remove(owner: string, item: Item): boolean {
    const line = this.#lines.get(owner)
    const index = line?.items.indexOf(item) ?? -1
    if (line === undefined || index < 0) return false
    line.items.splice(index, 1)
    this.#length -= 1
    this.#forgetIfIdle(owner, line)
    return true
  }

  /** Removes the newest item of the owner with the most items, so that the owner that fills the queue makes room. */
  dropFromLongest(): Item | undefined {
    let longest: [string, Line<Item>] | undefined
    for (const entry of this.#lines)
      if (longest === undefined || entry[1].items.length > longest[1].items.length) longest = entry
    if (longest === undefined) return undefined
    const [owner, line] = longest
    const item = line.items.pop()
    if (item !== undefined) this.#length -= 1
    this.#forgetIfIdle(owner, line)
    return item
  }

  /**
   * Returns whether a new item of this owner would be taken next: it has no items yet and has used less than every
   * owner that has some.
   */
  wouldBeNext(owner: string): boolean {
    const line = this.#lines.get(owner)
    if (line !== undefined && line.items.length > 0) return false
    const used = Math.max(line?.used ?? 0, this.#floor)
    for (const other of this.#lines.values()) if (other.items.length > 0 && other.used <= used) return false
    return true
  }

  /** Charges work to an owner. A negative amount corrects an earlier charge. */
  charge(owner: string, work: number): void {
    const known = this.#lines.get(owner)
    const line = known ?? { items: [], used: this.#floor }
    line.used += work
    if (known === undefined) this.#lines.set(owner, line)
    this.#forgetIfIdle(owner, line)
  }

  /** Removes and returns all items, in no particular order. */
  clear(): Item[] {
    const items = [...this.#lines.values()].flatMap((line) => line.items)
    this.#lines.clear()
    this.#length = 0
    return items
  }

  #lineFor(owner: string): Line<Item> {
    const known = this.#lines.get(owner)
    if (known) {
      if (known.items.length === 0) known.used = Math.max(known.used, this.#floor)
      return known
    }
    const line = { items: [], used: this.#floor }
    this.#lines.set(owner, line)
    return line
  }

  /** Deletes the entry of an idle owner that has used no more than a new owner would start with. */
  #forgetIfIdle(owner: string, line: Line<Item>): void {
    if (line.items.length === 0 && line.used <= this.#floor) this.#lines.delete(owner)
  }
}
