import { nextTurn } from '@sluice/core/next-turn'
import { measuredClock } from '../clock/create-run-clock.ts'
import type { RunClock } from '../clock/run-clock.ts'
import { type OnEnter, waitingForHost } from './on-enter.ts'

/** Running time of user code after which the event loop gets a turn. */
const sliceMs = 10

/** Measures how long user code of one batch runs, and announces whose code runs before it does. */
export class RunningTime {
  readonly #timeMs: number
  readonly #signal: AbortSignal
  readonly #onEnter: OnEnter
  readonly #clock: RunClock
  #spentMs = 0
  #sinceTurnMs = 0

  /**
   * @param timeMs running time of the whole batch.
   * @param signal ends the batch.
   */
  constructor(timeMs: number, signal: AbortSignal, onEnter: OnEnter, clock: RunClock = measuredClock) {
    this.#timeMs = timeMs
    this.#signal = signal
    this.#onEnter = onEnter
    this.#clock = clock
  }

  /** Running time used so far, in milliseconds. */
  get spentMs(): number {
    return this.#spentMs
  }

  /** Running time left for the batch, in milliseconds; 0 or less when it is used up. */
  get leftMs(): number {
    return this.#timeMs - this.#spentMs
  }

  /** Whether code has run long enough since the last turn of the event loop. */
  get isTurnDue(): boolean {
    return this.#sinceTurnMs > sliceMs
  }

  /** Measures the running time of `action`. Every call into the machine that may run user code goes through this. */
  measured<T>(whose: number, action: () => T): T {
    this.#onEnter(whose)
    const start = this.#clock.start()
    const result = action()
    let tookMs = this.#clock.now() - start
    this.#sinceTurnMs += tookMs
    if (tookMs > sliceMs) {
      // The thread may have been without a processor.
      this.#clock.settle()
      tookMs = Math.max(0, this.#clock.now() - start)
    }
    this.#spentMs += tookMs
    return result
  }

  /** Gives the event loop a turn. @throws the abort reason if the batch was aborted meanwhile. */
  async turn(): Promise<void> {
    await new Promise<void>((resolve) => nextTurn(resolve))
    this.#resumed()
  }

  /** Waits for the host, which costs no running time. @throws the abort reason if the batch was aborted meanwhile. */
  async wait(forHost: () => Promise<void>): Promise<void> {
    this.#onEnter(waitingForHost)
    await forHost()
    this.#resumed()
  }

  #resumed(): void {
    this.#sinceTurnMs = 0
    this.#signal.throwIfAborted()
  }
}
