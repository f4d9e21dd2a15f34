import { type BudgetShare, FairQueue, SharedBudget } from '@sluice/core'

/** Default of what user code may have made that destinations have not taken yet, in bytes. */
const defaultBytesMax = 192 * 1024 * 1024
/** What a batch is taken to make until it is known: as much as the sandbox lets it return. */
const expectedBytes = 32 * 1024 * 1024
const expectedBytesPerEvent = 4 * 1024 * 1024

interface Waiting {
  readonly bytes: number
  start(): void
}

/**
 * Bounds what user code has made and destinations have not taken yet, of all lines of a process together: an author whose
 * transformations return a hundred times what they are given must not use up the memory, however many destinations wait
 * for slow servers meanwhile. A line waits before it transforms its next events; half of the bytes are kept for the
 * workspaces in equal parts.
 */
export class OutputBudget {
  readonly #budget: SharedBudget
  readonly #queue = new FairQueue<Waiting>()

  /** @param bytesMax more or less the JSON text of what was made; as objects it takes about twice as much. */
  constructor(bytesMax = defaultBytesMax) {
    this.#budget = new SharedBudget(bytesMax)
  }

  /** For one line. */
  line(workspaceId: string): LineOutputs {
    return new LineOutputs(
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
      const abort = (): void => {
        this.#queue.remove(workspaceId, waiting)
        reject(signal.reason)
      }
      const waiting: Waiting = {
        bytes,
        start: () => {
          signal.removeEventListener('abort', abort)
          resolve()
        },
      }
      signal.addEventListener('abort', abort, { once: true })
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

/** What the transformation of one line has made and its destination has not taken yet. */
export class LineOutputs {
  readonly #share: BudgetShare
  readonly #reserve: (bytes: number, signal: AbortSignal) => Promise<void>
  readonly #released: () => void
  #batches = 0
  #expected = 0
  #held = 0

  constructor(
    share: BudgetShare,
    reserve: (bytes: number, signal: AbortSignal) => Promise<void>,
    released: () => void,
  ) {
    this.#share = share
    this.#reserve = reserve
    this.#released = released
  }

  /** Waits until there is room for what a batch of so many events may become. @throws the reason of the signal. */
  async enter(events: number, signal: AbortSignal): Promise<void> {
    const bytes = Math.min(expectedBytes, events * expectedBytesPerEvent)
    await this.#reserve(bytes, signal)
    this.#batches += 1
    this.#expected = bytes
    this.#held += bytes
  }

  /** So much was made of the batch that entered last. */
  made(bytes: number): void {
    this.#take(bytes - this.#expected)
    this.#expected = 0
    this.#released()
  }

  /** A batch has ended. What was made is let go of once no other of the line is under way. */
  leave(): void {
    this.#batches -= 1
    if (this.#batches > 0) return
    this.#expected = 0
    this.#take(-this.#held)
    this.#released()
  }

  #take(bytes: number): void {
    this.#held += bytes
    this.#share.take(bytes)
  }
}
