import { setImmediate as nextTurn } from 'node:timers/promises'

interface Happening {
  readonly at: number
  readonly order: number
  readonly act: () => void
}

/**
 * Time and chance of one run. What is to happen happens in order of time, and everything that code does at once because of it is
 * done before the next: a run depends on its seed alone, whatever the machine does meanwhile.
 */
export class World {
  /** Milliseconds since the beginning of the run. */
  now = 0
  readonly #story: string[] = []
  readonly #wrong: string[] = []
  readonly #happenings: Happening[] = []
  #order = 0
  #state: number

  constructor(seed: number) {
    this.#state = seed
  }

  /** What happened, for the reader of a run that failed. */
  get story(): readonly string[] {
    return this.#story
  }

  /** Promises that were broken. */
  get wrong(): readonly string[] {
    return this.#wrong
  }

  tell(text: string): void {
    this.#story.push(`${(this.now / 1_000).toFixed(3)} s: ${text}`)
  }

  /** A promise was broken. */
  broken(text: string): void {
    this.tell(`BROKEN: ${text}`)
    this.#wrong.push(text)
  }

  /** Returns a number from 0 to below 1. Source: mulberry32, Tommy Ettinger. */
  chance(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  between(min: number, max: number): number {
    return Math.floor(min + this.chance() * (max - min))
  }

  oneOf<Item>(items: readonly Item[]): Item | undefined {
    return items[this.between(0, items.length)]
  }

  after(milliseconds: number, act: () => void): void {
    this.#order += 1
    const happening = { at: this.now + milliseconds, order: this.#order, act }
    // The soonest is the last.
    let [low, high] = [0, this.#happenings.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const other = this.#happenings[middle]
      if (other && (other.at > happening.at || (other.at === happening.at && other.order > happening.order)))
        low = middle + 1
      else high = middle
    }
    this.#happenings.splice(low, 0, happening)
  }

  /** Lets time pass until a promise was broken. */
  async pass(milliseconds: number): Promise<void> {
    const until = this.now + milliseconds
    while (this.#wrong.length === 0) {
      const next = this.#happenings.at(-1)
      if (next === undefined || next.at > until) break
      this.#happenings.pop()
      this.now = Math.max(this.now, next.at)
      next.act()
      await nextTurn()
    }
    this.now = until
  }
}
