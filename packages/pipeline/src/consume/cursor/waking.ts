import type { Clock } from '@sluice/core'

/** A wait that may be ended from elsewhere. That it was to end is remembered until the next wait, or `reset`. */
export class Waking {
  #isRoused = false
  #rouse = (): void => {}

  /** Ends the wait under way, or the next one. */
  rouse(): void {
    this.#isRoused = true
    this.#rouse()
  }

  /** What was to end a wait until now has been seen to. */
  reset(): void {
    this.#isRoused = false
  }

  /** Resolves when roused. */
  roused(): Promise<void> {
    return new Promise((resolve) => {
      this.#rouse = resolve
      if (this.#isRoused) resolve()
    })
  }

  /** Resolves when roused, or after so many milliseconds. */
  async wait(milliseconds: number, clock: Clock): Promise<void> {
    const roused = this.roused()
    if (milliseconds === Number.POSITIVE_INFINITY) await roused
    else {
      const waiting = new AbortController()
      await Promise.race([roused, clock.sleep(Math.max(1, milliseconds), waiting.signal).catch(() => {})])
      // With a reason of its own, no error with a stack is made for each wait.
      waiting.abort(null)
    }
    this.reset()
  }
}
