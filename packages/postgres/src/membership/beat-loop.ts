import type { Timing } from './timing.ts'

interface BeatLoopOptions {
  readonly timing: Timing
  /** Milliseconds between two turns. */
  readonly beatMs: number
  /** One turn. */
  readonly work: () => Promise<void>
  readonly onError: (error: unknown) => void
}

/** Repeats a turn with every beat, and at once when there is something to do. One turn runs at a time. */
export class BeatLoop {
  readonly #options: BeatLoopOptions
  #turning: Promise<void> | undefined
  /** Whether `turn` was called during the one that runs. */
  #again = false
  #hasEnded = false
  #endWait: () => void = () => {}

  constructor(options: BeatLoopOptions) {
    this.#options = options
  }

  /** Takes a turn now. Resolves with the one that runs, when there is one; another follows it then. */
  turn(): Promise<void> {
    if (this.#hasEnded) return Promise.resolve()
    if (this.#turning) {
      this.#again = true
      return this.#turning
    }
    this.#endWait()
    const { timing, beatMs, work, onError } = this.#options
    const turning = work()
      .catch(onError)
      .finally(() => {
        this.#turning = undefined
        if (this.#hasEnded) return
        const wait = this.#again ? 0 : beatMs
        this.#again = false
        this.#endWait = timing.after(wait, () => void this.turn())
      })
    this.#turning = turning
    return turning
  }

  /** Takes no more turns. Resolves when the one that runs has ended. */
  async end(): Promise<void> {
    this.#hasEnded = true
    this.#endWait()
    await this.#turning
  }
}
