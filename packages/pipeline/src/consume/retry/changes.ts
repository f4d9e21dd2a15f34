import { type Clock, onAbort } from '@sluice/core'

/** Lets several callers wait for changes of the same thing. */
export class Changes {
  readonly #waits = new Set<() => void>()

  /** Something has changed. */
  tell(): void {
    for (const end of [...this.#waits]) end()
  }

  /** Resolves when a condition holds, which is looked at with every change, or when `signal` aborts. */
  async until(isSo: () => boolean, signal: AbortSignal): Promise<void> {
    while (!isSo() && !signal.aborted) await this.#next(signal)
  }

  /** Resolves with the next change, or after so many milliseconds. */
  async next(milliseconds: number, clock: Clock): Promise<void> {
    const waiting = new AbortController()
    const wake = (): void => waiting.abort(null)
    this.#waits.add(wake)
    if (milliseconds === Number.POSITIVE_INFINITY) await this.#next(waiting.signal)
    else await clock.sleep(milliseconds, waiting.signal)
    this.#waits.delete(wake)
  }

  #next(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        this.#waits.delete(end)
        unwatch()
        resolve()
      }
      const unwatch = onAbort(signal, end)
      this.#waits.add(end)
    })
  }
}
