/**
 * Limits how much work is under way. Work that must wait starts in the order in which it came.
 *
 * Every request to a destination passes through it. p-queue, with its priorities, events and abort signals, costs three times
 * as much for each, and is for work that has a rate or can be given up while it waits.
 * @example
 * ```ts
 * import { Slots } from '@sluice/core/slots'
 *
 * const slots = new Slots(2)
 * console.log(await Promise.all([1, 2, 3].map((each) => slots.run(async () => each * 2)))) // [ 2, 4, 6 ]
 * ```
 */
export class Slots {
  #free: number
  readonly #waiting: (() => void)[] = []
  #isBeginning = false

  constructor(count: number) {
    this.#free = count
  }

  /** Runs work when a slot is free. @throws what the work throws. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isFree) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      this.leave()
    }
  }

  /** Calls `begin`, which must not throw, once a slot is free: at once if one is. The slot is to be left with `leave`. */
  enter(begin: () => void): void {
    if (!this.#isFree) {
      this.#waiting.push(begin)
      return
    }
    this.#free -= 1
    begin()
  }

  /** Leaves a slot that was entered. The next one begins in it. */
  leave(): void {
    this.#free += 1
    // Many that leave as soon as they begin, as after an abort, would call each other until the stack is full.
    if (this.#isBeginning) return
    this.#isBeginning = true
    for (let next = this.#next(); next; next = this.#next()) next()
    this.#isBeginning = false
  }

  /** Whether a slot is free, and none waits for it that came before. */
  get #isFree(): boolean {
    return this.#free > 0 && this.#waiting.length === 0
  }

  /** Takes a slot for the first that waits. @returns how it begins; undefined when none can. */
  #next(): (() => void) | undefined {
    const next = this.#free > 0 ? this.#waiting.shift() : undefined
    if (next) this.#free -= 1
    return next
  }
}
