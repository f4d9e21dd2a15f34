import { FairQueue, type Stage } from '@sluice/core'
import { nextTurn } from '@sluice/core/next-turn'
import { inAsyncContext } from '#async-context'
import { wrapStage } from './stages/wrap-stage.ts'

/** Milliseconds of work after which the event loop gets its turn. */
const sliceMs = 1
/** Milliseconds of this thread that a request and its reply are expected to take. */
const requestMs = 0.05
/** A turn of the event loop that takes less leaves time to spare. */
const spareTurnMs = 3
/** Longest wait for such a turn, in milliseconds: work that can wait continues slowly on a busy thread. */
const spareWaitMsMax = 200
/** Waiting works that may start in one turn of the event loop. */
const startsPerTurnMax = 64

interface Waiting {
  start(): void
}

/**
 * Gives workspaces fair turns on this thread. A stage that maps events holds the thread for a whole batch; without turns,
 * a workspace with a hundred destinations would get a hundred turns for one of its neighbour's.
 *
 * Work starts immediately while less than `sliceMs` was used in this turn of the event loop. Later work waits; the
 * workspace that has used the least time is next. A workspace that would be next anyway does not wait for the event loop.
 */
export class MainTurns {
  readonly #queue = new FairQueue<Waiting>()
  #usedMs = 0
  /** Whether the next turn of the event loop resets `#usedMs`. */
  #isPlanned = false
  /** Callbacks of the event loop in which waiting work starts: one each, so that its first continuations run in between. */
  #slots = 0
  /** The work that was started in the slot before, in this turn, and when `run` returned. */
  #last: { readonly workspaceId: string; readonly since: number } | undefined

  /** Returns the same stage, which runs in the turns of this workspace. */
  stage<In, Out>(workspaceId: string, stage: Stage<In, Out>): Stage<In, Out> {
    return wrapStage(stage, (batch, signal) => this.run(workspaceId, () => stage.run(batch, signal)))
  }

  /**
   * Waits for a turn to send a request. Replies come at the pace of requests, so this bounds the work for replies in one
   * turn of the event loop, too.
   * @returns undefined when it is its turn now.
   */
  forRequest(workspaceId: string): Promise<void> | undefined {
    const charge = (): void => {
      this.#charge(workspaceId, requestMs)
      this.#planReset()
    }
    if (!this.#isNext(workspaceId)) return this.#wait(workspaceId, charge)
    charge()
    return undefined
  }

  /** Starts `work` when it is its turn. Time in which it waits for something is not counted. */
  run<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    if (this.#isNext(workspaceId)) return this.#start(workspaceId, work)
    return this.#wait(workspaceId, () => this.#start(workspaceId, work))
  }

  #isNext(workspaceId: string): boolean {
    return this.#queue.length === 0 ? this.#usedMs < sliceMs : this.#queue.wouldBeNext(workspaceId)
  }

  #wait<T>(workspaceId: string, begin: () => T): Promise<Awaited<T>> {
    // The caller's async context: spans of what runs there belong to those of the caller.
    const inContext = inAsyncContext()
    return new Promise((resolve) => {
      this.#queue.push(workspaceId, {
        start: () => {
          resolve(inContext(begin) as Awaited<T>)
          this.#last = { workspaceId, since: performance.now() }
        },
      })
      this.#addSlot()
    })
  }

  /**
   * Waits until this thread has time to spare, for `spareWaitMsMax` at most: for work that can wait. Without that,
   * much of it would take the time of everything else.
   */
  async spare(): Promise<void> {
    const until = performance.now() + spareWaitMsMax
    for (let before = performance.now(); before < until; ) {
      await new Promise<void>((resolve) => nextTurn(resolve))
      const now = performance.now()
      if (now - before < spareTurnMs && this.#queue.length === 0) return
      before = now
    }
  }

  /** Works on a list slice by slice, each in its own turn, so that other workspaces get theirs in between. */
  async slices<In, Out>(
    workspaceId: string,
    items: readonly In[],
    length: number,
    work: (slice: readonly In[]) => readonly Out[],
  ): Promise<readonly Out[]> {
    if (items.length <= length) return this.run(workspaceId, async () => work(items))
    const made: Out[] = []
    for (let start = 0; start < items.length; start += length) {
      const slice = items.slice(start, start + length)
      for (const one of await this.run(workspaceId, async () => work(slice))) made.push(one)
    }
    return made
  }

  /**
   * Works on a list item by item: as many in a turn as take `sliceMs`, so that one turn is never longer than that and the
   * longest item.
   */
  async each<In, Out>(workspaceId: string, items: readonly In[], work: (item: In) => Out): Promise<readonly Out[]> {
    const made: Out[] = []
    const untilTurnEnds = async (): Promise<void> => {
      const end = performance.now() + sliceMs
      while (made.length < items.length) {
        made.push(work(items[made.length] as In))
        if (performance.now() >= end) return
      }
    }
    while (made.length < items.length) await this.run(workspaceId, untilTurnEnds)
    return made
  }

  #start<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    const result = work()
    this.#charge(workspaceId, performance.now() - startedAt)
    this.#planReset()
    return result
  }

  #charge(workspaceId: string, tookMs: number): void {
    this.#usedMs += tookMs
    this.#queue.charge(workspaceId, tookMs)
  }

  /** Runs before the slots of the next turn, for those are added later. */
  #planReset(): void {
    if (this.#isPlanned) return
    this.#isPlanned = true
    nextTurn(() => {
      this.#isPlanned = false
      this.#usedMs = 0
      this.#last = undefined
    })
  }

  #addSlot(): void {
    if (this.#slots >= startsPerTurnMax) return
    this.#slots += 1
    nextTurn(this.#slot)
  }

  readonly #slot = (): void => {
    if (this.#last) this.#charge(this.#last.workspaceId, performance.now() - this.#last.since)
    this.#last = undefined
    if (this.#usedMs >= sliceMs) {
      nextTurn(this.#slot)
      return
    }
    this.#slots -= 1
    this.#queue.shift()?.start()
    if (this.#queue.length > this.#slots) this.#addSlot()
  }
}
