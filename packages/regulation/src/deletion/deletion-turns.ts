import type { DeletionTarget } from './deletion-store.ts'

/** Destinations processed at the same time, in all and per workspace. */
const targetsMax = 8
const targetsPerWorkspaceMax = 4

/** Which destinations have a turn: one turn of each at a time, and workspaces share the turns fairly. */
export class DeletionTurns {
  readonly #running = new Map<string, { readonly workspaceId: string; readonly done: Promise<void> }>()
  /** Sequence number of each workspace's last turn. */
  readonly #last = new Map<string, number>()
  #count = 0

  /**
   * Returns the next target: of the workspace with the fewest running turns, or among equals the longest without a
   * turn.
   */
  next(due: readonly DeletionTarget[]): DeletionTarget | undefined {
    if (this.#running.size >= targetsMax) return undefined
    let best: { readonly target: DeletionTarget; readonly count: number; readonly last: number } | undefined
    for (const target of due) {
      const count = this.#runningOf(target.workspaceId)
      const last = this.#last.get(target.workspaceId) ?? 0
      if (this.#running.has(nameOf(target)) || count >= targetsPerWorkspaceMax) continue
      if (!best || count < best.count || (count === best.count && last < best.last)) best = { target, count, last }
    }
    return best?.target
  }

  /** Begins a turn. @param work never rejects. @param ended called when it is over. */
  begin(target: DeletionTarget, work: () => Promise<void>, ended: () => void): void {
    const name = nameOf(target)
    this.#count += 1
    this.#last.set(target.workspaceId, this.#count)
    const done = work().finally(() => {
      this.#running.delete(name)
      ended()
    })
    this.#running.set(name, { workspaceId: target.workspaceId, done })
  }

  /** Resolves when the turns that run have ended. */
  async ended(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ done }) => done))
  }

  #runningOf(workspaceId: string): number {
    return [...this.#running.values()].filter((each) => each.workspaceId === workspaceId).length
  }
}

function nameOf({ workspaceId, destinationId }: DeletionTarget): string {
  return JSON.stringify([workspaceId, destinationId])
}
