import type { ClusterMember } from '@sluice/pipeline'
import type { SharedRows } from './shared-rows.ts'
import type { Timing } from './timing.ts'

/** How often a caller that waits for all processes looks. */
const lookMs = 50
/** Calls that one process answers at a time. */
const barriersMax = 50

interface BarriersOptions {
  readonly rows: Pick<SharedRows, 'addBarrier' | 'barriersAfter' | 'sayPassed' | 'hasNotPassed'>
  readonly timing: Timing
  /** Longest time of one try to end the work that others wait for. */
  readonly changeMs: number
  /** Id of this process in the cluster. */
  readonly nodeId: () => string
  readonly member: () => ClusterMember | undefined
  /** Tells all processes that there is something to be passed. */
  readonly notify: () => void
  readonly onError: (error: unknown) => void
}

/** Barriers: calls that wait until all processes have ended the work that they had begun before. */
export class Barriers {
  readonly #options: BarriersOptions
  #ending: Promise<void> | undefined

  constructor(options: BarriersOptions) {
    this.#options = options
  }

  /** See `Cluster.passed`. */
  async everywhere(workspaceId: string, destinationId: string | undefined, signal: AbortSignal): Promise<void> {
    const { rows, timing, notify } = this.#options
    const id = await rows.addBarrier(workspaceId, destinationId)
    notify()
    for (;;) {
      signal.throwIfAborted()
      if (!(await rows.hasNotPassed(id))) return
      await new Promise<void>((resolve) => void timing.after(lookMs, resolve))
    }
  }

  /**
   * Ends what others wait for, in the background: work under way may take long.
   * @param passed the last one that this process has answered.
   */
  answer(passed: number): void {
    this.#ending ??= this.#answer(passed)
      .catch(this.#options.onError)
      .finally(() => {
        this.#ending = undefined
      })
  }

  /** Resolves when none is being answered. */
  async ended(): Promise<void> {
    await this.#ending
  }

  async #answer(passed: number): Promise<void> {
    const { rows, nodeId, member, changeMs } = this.#options
    const asked = await rows.barriersAfter(passed, barriersMax)
    const last = asked.at(-1)
    if (last === undefined) return
    const signal = AbortSignal.timeout(changeMs)
    await Promise.all(
      asked.map(({ workspace_id, destination_id }) =>
        member()?.passed(workspace_id, destination_id ?? undefined, signal),
      ),
    )
    await rows.sayPassed(nodeId(), last.id)
  }
}
