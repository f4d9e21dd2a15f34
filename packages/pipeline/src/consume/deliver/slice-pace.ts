/** Milliseconds that the next slice waits at most. */
const patienceMaxMs = 100
/** Milliseconds of the quickest slice: clocks count no less. */
const usualMinMs = 1
/** How far one slice moves what is usual. Where half of them take longer and half less, it stays: that is their median. */
const step = 1.2

/** How long the slices of a destination usually take, and so how long the next one waits for the one before it. */
export class SlicePace {
  #usualMs = patienceMaxMs / 2

  /** Milliseconds for which a slice holds back the next one: twice what is usual, at most 100. */
  get patienceMs(): number {
    return 2 * this.#usualMs
  }

  /** A slice took so long. A few that take very long do not change what is usual. */
  took(milliseconds: number): void {
    const next = milliseconds > this.#usualMs ? this.#usualMs * step : this.#usualMs / step
    this.#usualMs = Math.min(patienceMaxMs / 2, Math.max(usualMinMs, next))
  }
}
