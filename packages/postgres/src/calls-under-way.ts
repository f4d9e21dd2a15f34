import { StoreClosedError } from '@sluice/storage'

/** The calls of a store that are under way: closing waits for them, and refuses later ones. */
export class CallsUnderWay {
  readonly #calls = new Set<Promise<unknown>>()
  readonly #counted: <Result>(call: () => Promise<Result>) => Promise<Result>
  #closing: Promise<void> | undefined

  /** @param counted runs a write, and counts what becomes of it. */
  constructor(counted: <Result>(call: () => Promise<Result>) => Promise<Result>) {
    this.#counted = counted
  }

  /** @throws StoreClosedError */
  requireOpen(): void {
    if (this.#closing !== undefined) throw new StoreClosedError()
  }

  async run<Result>(call: () => Promise<Result>): Promise<Result> {
    this.requireOpen()
    const work = call()
    this.#calls.add(work)
    try {
      return await this.#counted(() => work)
    } finally {
      this.#calls.delete(work)
    }
  }

  /** Closes once: waits for calls under way, then runs `close`. Can be called again, and waits for the same. */
  close(close: () => Promise<void>): Promise<void> {
    this.#closing ??= Promise.allSettled(this.#calls).then(close)
    return this.#closing
  }
}
