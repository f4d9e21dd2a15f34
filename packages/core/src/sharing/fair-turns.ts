import { onAbort } from '../time/on-abort.ts'
import { FairQueue } from './fair-queue.ts'

export interface FairTurnsOptions {
  /** Turns that are under way at once. */
  readonly turnsMax: number
  /** Those of one owner: an owner whose turns never end must leave some to others. */
  readonly turnsPerOwnerMax: number
  /** Turns of one owner that wait. Default: any number. */
  readonly waitingPerOwnerMax?: number
}

/** Lets owners, such as workspaces, take turns at something scarce. The owner that has used the least time is next. */
export class FairTurns {
  readonly #options: FairTurnsOptions
  readonly #queue = new FairQueue<() => void>()
  readonly #underWay = new Map<string, number>()
  readonly #waiting = new Map<string, number>()
  #running = 0

  constructor(options: FairTurnsOptions) {
    this.#options = options
  }

  /**
   * Calls `begin` when the turn of an owner has come, which may be at once. The turn ends when `begin` calls its argument.
   * @returns false, and does nothing, when too many turns of the owner wait.
   */
  take(owner: string, begin: (end: () => void) => void): boolean {
    return this.#enqueue(owner, begin) !== undefined
  }

  /** Does work in a turn of an owner. @throws what the work throws, or the reason of the signal when it aborts a turn that waits. */
  async run<Result>(owner: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    signal.throwIfAborted()
    const end = await this.#turnOf(owner, signal)
    try {
      return await work()
    } finally {
      end()
    }
  }

  #turnOf(owner: string, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      let waiting: (() => void) | undefined
      const unwatch = onAbort(signal, (reason) => {
        if (!waiting || !this.#queue.remove(owner, waiting)) return
        count(this.#waiting, owner, -1)
        reject(reason)
      })
      waiting = this.#enqueue(owner, (end) => {
        unwatch()
        resolve(end)
      })
      if (waiting) return
      unwatch()
      reject(new Error(`Too many tasks of ${owner} wait for a turn. Try again later.`))
    })
  }

  #enqueue(owner: string, begin: (end: () => void) => void): (() => void) | undefined {
    const { waitingPerOwnerMax = Number.POSITIVE_INFINITY } = this.#options
    if ((this.#waiting.get(owner) ?? 0) >= waitingPerOwnerMax) return undefined
    const start = (): void => {
      const startedAt = performance.now()
      begin(() => this.#end(owner, performance.now() - startedAt))
    }
    count(this.#waiting, owner, 1)
    this.#queue.push(owner, start)
    this.#startNext()
    return start
  }

  #startNext(): void {
    const { turnsMax, turnsPerOwnerMax } = this.#options
    while (this.#running < turnsMax) {
      const owner = this.#queue.owners().find((each) => (this.#underWay.get(each) ?? 0) < turnsPerOwnerMax)
      if (owner === undefined) return
      this.#running += 1
      count(this.#waiting, owner, -1)
      count(this.#underWay, owner, 1)
      this.#queue.take(owner)?.()
    }
  }

  #end(owner: string, ms: number): void {
    this.#running -= 1
    count(this.#underWay, owner, -1)
    this.#queue.charge(owner, ms)
    this.#startNext()
  }
}

function count(counts: Map<string, number>, owner: string, change: number): void {
  const next = (counts.get(owner) ?? 0) + change
  if (next > 0) counts.set(owner, next)
  else counts.delete(owner)
}
