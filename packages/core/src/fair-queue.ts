interface Line<Item> {
  readonly items: Item[]
  /** Work booked for this owner so far; an owner that comes back after a pause does not bring old credit. */
  used: number
}

/**
 * A queue in which owners (workspaces, say) share what serves it: the next item is always one of the owner for whom the
 * least work was booked. So an owner that queues a thousand items delays an owner with one by a turn, not by a thousand.
 *
 * Work is booked by `charge`, in any unit, as long as it is the same for all owners. Items of one owner keep their order.
 * Keeps a number per owner that has items, or has used more than others. Source: start-time fair queueing, Goyal, Vin
 * and Cheng, SIGCOMM 1996.
 */
export class FairQueue<Item> {
  readonly #lines = new Map<string, Line<Item>>()
  #length = 0
  /** What the owner that was served last had used by then: an owner that starts now starts here. */
  #floor = 0

  /** Items of all owners. */
  get length(): number {
    return this.#length
  }

  /** Adds an item behind those of its owner. */
  push(owner: string, item: Item): void {
    this.#lineFor(owner).items.push(item)
    this.#length += 1
  }

  /** Adds an item in front of those of its owner: for work that was begun and has to be done again. */
  unshift(owner: string, item: Item): void {
    this.#lineFor(owner).items.unshift(item)
    this.#length += 1
  }

  /** Owners with items, the one whose turn it is first. */
  owners(): readonly string[] {
    const waiting = [...this.#lines].filter(([, { items }]) => items.length > 0)
    if (waiting.length > 1) waiting.sort(([, a], [, b]) => a.used - b.used)
    return waiting.map(([owner]) => owner)
  }

  /** The item that `take` would give. */
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

  /** Removes the first item of the owner whose turn it is. */
  shift(): Item | undefined {
    const [owner] = this.owners()
    return owner === undefined ? undefined : this.take(owner)
  }

  /** Removes this item wherever it stands. @returns false when it is not there. */
  remove(owner: string, item: Item): boolean {
    const line = this.#lines.get(owner)
    const index = line?.items.indexOf(item) ?? -1
    if (line === undefined || index < 0) return false
    line.items.splice(index, 1)
    this.#length -= 1
    this.#forgetIfIdle(owner, line)
    return true
  }

  /** Removes the newest item of the owner that has the most: who fills the queue makes room in it. */
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

  /** Whether an item of this owner would be taken before all that are here: none of its own is, and it has used less. */
  wouldBeNext(owner: string): boolean {
    const line = this.#lines.get(owner)
    if (line !== undefined && line.items.length > 0) return false
    const used = Math.max(line?.used ?? 0, this.#floor)
    for (const other of this.#lines.values()) if (other.items.length > 0 && other.used <= used) return false
    return true
  }

  /** Books work for an owner, or corrects what was booked (negative). */
  charge(owner: string, work: number): void {
    const known = this.#lines.get(owner)
    const line = known ?? { items: [], used: this.#floor }
    line.used += work
    if (known === undefined) this.#lines.set(owner, line)
    this.#forgetIfIdle(owner, line)
  }

  /** Removes all items, in no particular order. */
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

  /** An owner that has used no more than one that comes new need not be remembered. */
  #forgetIfIdle(owner: string, line: Line<Item>): void {
    if (line.items.length === 0 && line.used <= this.#floor) this.#lines.delete(owner)
  }
}
