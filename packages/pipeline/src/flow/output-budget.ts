import { type BudgetShare, FairQueue, onAbort, SharedBudget } from '@sluice/core'

/** Default bytes of outputs of user code that are not delivered yet. */
const defaultBytesMax = 192 * 1024 * 1024
/** What a batch is expected to make until that is known: as much as the sandbox lets it return. */
const expectedBytes = 32 * 1024 * 1024
const expectedBytesPerEvent = 4 * 1024 * 1024

interface Waiting {
  readonly bytes: number
  start(): void
}

/**
 * Bounds the memory for outputs of user code that are not delivered yet, of all destinations of a process together. An
 * author whose transformations return a hundred times their input must not use up the memory while destinations wait for
 * slow servers. A destination waits before it transforms its next events; half of the bytes are reserved for the
 * workspaces in equal parts.
 */
export class OutputBudget {
  readonly #budget: SharedBudget
  readonly #queue = new FairQueue<Waiting>()

  /** @param bytesMax bytes of JSON text, roughly; as objects, outputs take about twice as much. */
  constructor(bytesMax = defaultBytesMax) {
    this.#budget = new SharedBudget(bytesMax)
  }

  /** The share of one destination. */
  share(workspaceId: string): OutputShare {
    return new OutputShare(
      this.#budget.share(workspaceId),
      (bytes, signal) => this.#take(workspaceId, bytes, signal),
      () => this.#startWaiting(),
    )
  }

  async #take(workspaceId: string, bytes: number, signal: AbortSignal): Promise<void> {
    const share = this.#budget.share(workspaceId)
    if (this.#queue.length === 0 && share.admits) {
      share.take(bytes)
      return
    }
    signal.throwIfAborted()
    await new Promise<void>((resolve, reject) => {
      const unwatch = onAbort(signal, () => {
        this.#queue.remove(workspaceId, waiting)
        reject(signal.reason)
      })
      const waiting: Waiting = {
        bytes,
        start: () => {
          unwatch()
          resolve()
        },
      }
      this.#queue.push(workspaceId, waiting)
      this.#startWaiting()
    })
  }

  #startWaiting(): void {
    for (const workspaceId of this.#queue.owners()) {
      const share = this.#budget.share(workspaceId)
      while (share.admits) {
        const next = this.#queue.take(workspaceId)
        if (next === undefined) break
        share.take(next.bytes)
        next.start()
      }
    }
  }
}

/** Outputs of one destination's transformation that are not delivered yet. */
export class OutputShare {
  readonly #share: BudgetShare
  readonly #reserve: (bytes: number, signal: AbortSignal) => Promise<void>
  readonly #released: () => void
  /** The batch that entered last, until it is known what was made of it. */
  #expected: { bytes: number } | undefined
  #last: { bytes: number } | undefined

  constructor(
    share: BudgetShare,
    reserve: (bytes: number, signal: AbortSignal) => Promise<void>,
    released: () => void,
  ) {
    this.#share = share
    this.#reserve = reserve
    this.#released = released
  }

  /**
   * Waits until there is room for what a batch of so many events may become.
   * @returns what releases its bytes, once the batch has ended. @throws the reason of the signal.
   */
  async enter(events: number, signal: AbortSignal): Promise<() => void> {
    const batch = { bytes: Math.min(expectedBytes, events * expectedBytesPerEvent) }
    await this.#reserve(batch.bytes, signal)
    this.#expected = batch
    this.#last = batch
    return () => {
      this.#share.take(-batch.bytes)
      batch.bytes = 0
      if (this.#expected === batch) this.#expected = undefined
      if (this.#last === batch) this.#last = undefined
      this.#released()
    }
  }

  /** Reports how many bytes were made of the batch that entered last. */
  made(bytes: number): void {
    if (this.#last) {
      const expected = this.#expected?.bytes ?? 0
      this.#share.take(bytes - expected)
      this.#last.bytes += bytes - expected
    }
    this.#expected = undefined
    this.#released()
  }
}
