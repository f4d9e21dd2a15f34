import { FairQueue, type Stage } from '@sluice/core'

/** Work of this thread after which the event loop has its turn, in milliseconds. */
const sliceMs = 2

interface Waiting {
  start(): void
}

/**
 * Gives workspaces fair turns on this thread. Stages that map events hold it for as long as their batch takes; without
 * turns, a workspace with a hundred destinations would have a hundred of them for one of its neighbour's.
 *
 * Work starts at once while the thread has been held for less than `sliceMs` in this turn of the event loop; what comes
 * later waits, and starts by the time its workspace has used. Work that would be the next at any rate does not wait for
 * the event loop: a workspace that uses little has its turn the moment it asks.
 */
export class MainTurns {
  readonly #queue = new FairQueue<Waiting>()
  #usedMs = 0
  #isPlanned = false

  /** The same stage, run in the turns of this workspace. */
  stage<In, Out>(workspaceId: string, stage: Stage<In, Out>): Stage<In, Out> {
    return {
      name: stage.name,
      mutatesInput: stage.mutatesInput,
      run: (batch, signal) => this.run(workspaceId, () => stage.run(batch, signal)),
    }
  }

  /** Starts `work` when it is its turn. What it awaits is not counted. */
  run<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    const isNext = this.#queue.length === 0 ? this.#usedMs < sliceMs : this.#queue.wouldBeNext(workspaceId)
    if (isNext) return this.#start(workspaceId, work)
    return new Promise((resolve) => {
      this.#queue.push(workspaceId, { start: () => resolve(this.#start(workspaceId, work)) })
    })
  }

  /** Works on a list slice by slice, each in a turn of its own, so that others get theirs in between. */
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

  #start<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    const result = work()
    const tookMs = performance.now() - startedAt
    this.#usedMs += tookMs
    this.#queue.charge(workspaceId, tookMs)
    this.#plan()
    return result
  }

  /** The next turn of the event loop: what waits starts, until the slice is used up. */
  #plan(): void {
    if (this.#isPlanned) return
    this.#isPlanned = true
    setImmediate(() => {
      this.#isPlanned = false
      this.#usedMs = 0
      while (this.#usedMs < sliceMs) {
        const next = this.#queue.shift()
        if (next === undefined) return
        next.start()
      }
    })
  }
}
