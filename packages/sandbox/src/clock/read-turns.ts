import { nextTurn } from '@sluice/core/next-turn'

/** Time per turn of the event loop for reading answers. One piece of work may exceed it by some ms. */
const shareMs = 8

/**
 * Divides each turn of the event loop among the readers of large answers. Once they have used their time in a turn,
 * they wait in a queue, and each further turn admits the first of them. Small answers are read immediately, without
 * asking.
 */
class ReadTurns {
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
    nextTurn(() => {
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

/** The instance of this thread, because each thread has one event loop. */
export const readTurns = new ReadTurns()
