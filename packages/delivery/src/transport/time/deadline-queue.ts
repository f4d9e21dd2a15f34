/** Something that may last until a time. */
export interface Deadlined {
  /** When it is too late, in milliseconds of `performance.now()`. */
  readonly dueAt: number
  /** Called when it is too late, once it was removed from the queue. */
  late(): void
  /** Its neighbours in the queue, which only the queue sets. */
  earlier: Deadlined | undefined
  later: Deadlined | undefined
}

/**
 * What is due is ended, in order, with one timer for all: a timer for each request would cost more than the rest of its
 * bookkeeping. Adding costs one step where what is added is due last, as where all may last equally long.
 *
 * The timer keeps the process alive as long as something is in the queue.
 */
export class DeadlineQueue {
  #first: Deadlined | undefined
  #last: Deadlined | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  /** When the timer fires. */
  #timerAt = 0

  add(added: Deadlined): void {
    let before = this.#last
    while (before !== undefined && before.dueAt > added.dueAt) before = before.earlier
    const after = before === undefined ? this.#first : before.later
    added.earlier = before
    added.later = after
    if (before === undefined) this.#first = added
    else before.later = added
    if (after === undefined) this.#last = added
    else after.earlier = added
    if (this.#first === added) this.#schedule(added.dueAt)
  }

  remove(removed: Deadlined): void {
    const { earlier, later } = removed
    if (earlier !== undefined) earlier.later = later
    else if (this.#first === removed) this.#first = later
    // It is not in the queue.
    else return
    if (later === undefined) this.#last = earlier
    else later.earlier = earlier
    removed.earlier = undefined
    removed.later = undefined
    if (this.#first === undefined) this.#timer?.unref()
  }

  #schedule(dueAt: number): void {
    if (this.#timer !== undefined && this.#timerAt <= dueAt) {
      // It fires early, and is then set to what is due first.
      this.#timer.ref()
      return
    }
    clearTimeout(this.#timer)
    this.#timerAt = dueAt
    this.#timer = setTimeout(() => this.#end(), Math.max(0, Math.ceil(dueAt - performance.now())))
  }

  #end(): void {
    this.#timer = undefined
    const now = performance.now()
    // A timer may fire a part of a millisecond early.
    for (let first = this.#first; first !== undefined && first.dueAt - now < 1; first = this.#first) {
      this.remove(first)
      first.late()
    }
    if (this.#first !== undefined) this.#schedule(this.#first.dueAt)
  }
}
