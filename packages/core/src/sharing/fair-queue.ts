interface OwnerQueue<Item> {
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
 * @example
 * ```ts
 * import { FairQueue } from '@sluice/core'
 *
 * const queue = new FairQueue<string>()
 * for (const item of ['a1', 'a2']) queue.push('a', item)
 * queue.push('b', 'b1')
 * const first = queue.shift()
 * queue.charge('a', 10)
 * console.log(first, queue.shift()) // a1 b1
 * ```
 */
export class FairQueue<Item> {
  readonly #queues = new Map<string, OwnerQueue<Item>>()
  #length = 0
  /** Work charged to the most recently served owner when it was served. New owners start from this number. */
  #floor = 0

  /** Number of items of all owners. */
  get length(): number {
    return this.#length
  }

  /** Adds an item after those of its owner. */
  push(owner: string, item: Item): void {
    this.#queueOf(owner).items.push(item)
    this.#length += 1
  }

  /** Adds an item before those of its owner, for work that was started and must be repeated. */
  unshift(owner: string, item: Item): void {
    this.#queueOf(owner).items.unshift(item)
    this.#length += 1
  }

  /** Owners with items, in the order of their turns. */
  owners(): readonly string[] {
    const waiting = [...this.#queues].filter(([, { items }]) => items.length > 0)
    if (waiting.length > 1) waiting.sort(([, a], [, b]) => a.used - b.used)
    return waiting.map(([owner]) => owner)
  }

  /** Returns the item that `take` would remove. */
  peek(owner: string): Item | undefined {
    return this.#queues.get(owner)?.items[0]
  }

  /** Removes the first item of an owner. */
  take(owner: string): Item | undefined {
    const queue = this.#queues.get(owner)
    if (queue === undefined || queue.items.length === 0) return undefined
    const item = queue.items.shift()
    this.#length -= 1
    this.#floor = Math.max(this.#floor, queue.used)
    this.#forgetIfIdle(owner, queue)
    return item
  }

  /** Removes the first item of the owner whose turn is next. */
  shift(): Item | undefined {
    let next: string | undefined
    let least = Number.POSITIVE_INFINITY
    for (const [owner, { items, used }] of this.#queues) {
      if (items.length === 0 || used >= least) continue
      next = owner
      least = used
    }
    return next === undefined ? undefined : this.take(next)
  }

  /** Removes an item from any position. @returns false when it is not in the queue. */
  remove(owner: string, item: Item): boolean {
    const queue = this.#queues.get(owner)
    const index = queue?.items.indexOf(item) ?? -1
    if (queue === undefined || index < 0) return false
    queue.items.splice(index, 1)
    this.#length -= 1
    this.#forgetIfIdle(owner, queue)
    return true
  }

  /** Removes the newest item of the owner with the most items, so that the owner that fills the queue makes room. */
  dropFromLongest(): Item | undefined {
    let longest: [string, OwnerQueue<Item>] | undefined
    for (const entry of this.#queues)
      if (longest === undefined || entry[1].items.length > longest[1].items.length) longest = entry
    if (longest === undefined) return undefined
    const [owner, queue] = longest
    const item = queue.items.pop()
    if (item !== undefined) this.#length -= 1
    this.#forgetIfIdle(owner, queue)
    return item
  }

  /**
   * Returns whether a new item of this owner would be taken next: it has no items yet and has used less than every
   * owner that has some.
   */
  wouldBeNext(owner: string): boolean {
    const queue = this.#queues.get(owner)
    if (queue !== undefined && queue.items.length > 0) return false
    const used = Math.max(queue?.used ?? 0, this.#floor)
    for (const other of this.#queues.values()) if (other.items.length > 0 && other.used <= used) return false
    return true
  }

  /** Charges work to an owner. A negative amount corrects an earlier charge. */
  charge(owner: string, work: number): void {
    const known = this.#queues.get(owner)
    const queue = known ?? { items: [], used: this.#floor }
    queue.used += work
    if (known === undefined) this.#queues.set(owner, queue)
    this.#forgetIfIdle(owner, queue)
  }

  /** Removes and returns all items, in no particular order. */
  clear(): Item[] {
    const items = [...this.#queues.values()].flatMap((queue) => queue.items)
    this.#queues.clear()
    this.#length = 0
    return items
  }

  #queueOf(owner: string): OwnerQueue<Item> {
    const known = this.#queues.get(owner)
    if (known) {
      if (known.items.length === 0) known.used = Math.max(known.used, this.#floor)
      return known
    }
    const queue = { items: [], used: this.#floor }
    this.#queues.set(owner, queue)
    return queue
  }

  /** Deletes the entry of an idle owner that has used no more than a new owner would start with. */
  #forgetIfIdle(owner: string, queue: OwnerQueue<Item>): void {
    if (queue.items.length === 0 && queue.used <= this.#floor) this.#queues.delete(owner)
  }
}
