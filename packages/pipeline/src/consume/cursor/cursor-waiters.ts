import type { LogPosition } from '../../ports/log-position.ts'

/** A caller that waits for a consumer. */
interface Waiter {
  readonly position: LogPosition
  /** Whether the wait also ends when the batches up to there are to be processed again. */
  readonly orDiscarded: boolean
  resolve(reached: boolean): void
}

/** Callers that wait until a consumer has committed a position. */
export class CursorWaiters {
  readonly #waiters = new Set<Waiter>()
  readonly #onAdd: () => void

  constructor(onAdd: () => void) {
    this.#onAdd = onAdd
  }

  /** Resolves with what `release` says. */
  add(position: LogPosition, orDiscarded: boolean): Promise<boolean> {
    return new Promise((resolve) => {
      this.#waiters.add({ position, orDiscarded, resolve })
      this.#onAdd()
    })
  }

  /** Whether any waits for the work under way, however it ends. */
  get someWaitForAnyEnd(): boolean {
    return [...this.#waiters].some(({ orDiscarded }) => orDiscarded)
  }

  /** Whether any waits for nothing behind this position. */
  someWaitFor(done: LogPosition): boolean {
    for (const { position } of this.#waiters) if (position <= done) return true
    return false
  }

  /** Ends the waits of the chosen callers. */
  release(isChosen: (waiter: Waiter) => boolean, reached: boolean): void {
    for (const waiter of this.#waiters) {
      if (!isChosen(waiter)) continue
      this.#waiters.delete(waiter)
      waiter.resolve(reached)
    }
  }
}
