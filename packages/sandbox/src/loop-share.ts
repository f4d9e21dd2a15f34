/** Time that reading answers may take of one turn of the event loop; one piece of work may add some ms. */
const shareMs = 8

/**
 * Shares each turn of the event loop between all that read large answers: once they have had their time in it, they wait
 * in a line, and the first goes on in each further turn. Small answers are read at once and need not ask.
 */
class LoopShare {
  #endMs: number | undefined
  readonly #line: (() => void)[] = []
  #isPlanned = false

  /** True when this turn has no time left. */
  isSpent(): boolean {
    const nowMs = performance.now()
    if (this.#endMs === undefined) {
      this.#endMs = nowMs + shareMs
      this.#plan()
    }
    return nowMs >= this.#endMs
  }

  /** Waits for a turn with time left. */
  async next(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#line.push(resolve)
      this.#plan()
    })
  }

  #plan(): void {
    if (this.#isPlanned) return
    this.#isPlanned = true
    setImmediate(() => {
      this.#isPlanned = false
      this.#endMs = undefined
      const first = this.#line.shift()
      if (first === undefined) return
      this.#endMs = performance.now() + shareMs
      this.#plan()
      first()
    })
  }
}

/** The one of this thread, as its event loop is. */
export const loopShare = new LoopShare()
