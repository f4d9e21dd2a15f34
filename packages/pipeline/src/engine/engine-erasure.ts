import type { Clock } from '@sluice/core'
import type { WaitInterrupts } from '../consume/retry/wait-interrupts.ts'
import type { Store } from '../ports/store.ts'
import type { RunningWorkspaces } from './running-workspaces.ts'

/** How often it is checked whether events have ended, and the wait in between, in milliseconds. */
const endLooksMax = 20
const endLookMs = 50
/** How often waits for destinations are interrupted while a caller waits for work under way to end. */
const interruptEveryMs = 100

interface EngineErasureParts {
  readonly clock: Clock
  readonly store: Pick<Store, 'retries'>
  readonly running: RunningWorkspaces
  readonly interrupts: WaitInterrupts
  /** Calls under way. */
  readonly calls: ReadonlySet<Promise<unknown>>
}

/** What a deletion needs of an engine: that work under way has ended, and that nothing of a user waits any more. */
export class EngineErasure {
  readonly #parts: EngineErasureParts

  constructor(parts: EngineErasureParts) {
    this.#parts = parts
  }

  /**
   * Resolves when all work that began before has ended: calls of `ingest`, and batches of consumers, at one destination or,
   * without one, at all. Later work checks suppression again. Until `signal` aborts, events that wait for a destination
   * that is down are deferred.
   */
  async passed(workspaceId: string, destinationId: string | undefined, signal: AbortSignal): Promise<void> {
    const { calls, clock, interrupts, running } = this.#parts
    await Promise.allSettled(calls)
    const ending = new AbortController()
    const passed = running
      .runtime(workspaceId)
      ?.passed(destinationId)
      .finally(() => ending.abort())
    // Again and again: one step may deliver several times.
    while (passed && !ending.signal.aborted && !signal.aborted) {
      interrupts.interrupt(workspaceId, destinationId)
      await clock.sleep(interruptEveryMs, ending.signal)
    }
    await passed
  }

  /** Stores the values that were observed since the last time, so that what is deleted from the store does not come back. */
  async storeValues(workspaceId: string): Promise<void> {
    await this.#parts.running.runtime(workspaceId)?.storeValues()
  }

  /** Ends all deferred events of suppressed users that wait in this process. */
  async endSuppressed(workspaceId: string): Promise<void> {
    await this.#parts.running.runtime(workspaceId)?.endAllSuppressed()
  }

  /**
   * Ends the deferred events of a suppressed user.
   * @returns whether none of them waits any more.
   */
  async endDeferred(workspaceId: string, userId: string): Promise<boolean> {
    const { store, clock, running } = this.#parts
    for (let looks = 0; looks < endLooksMax; looks += 1) {
      const waiting = await store.retries.ofUser(workspaceId, userId)
      if (waiting.length === 0) return true
      await running.runtime(workspaceId)?.endSuppressed(waiting)
      await clock.sleep(endLookMs)
    }
    return (await store.retries.ofUser(workspaceId, userId)).length === 0
  }
}
