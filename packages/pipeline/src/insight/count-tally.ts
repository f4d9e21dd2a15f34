import type { CountDelta, CountKind } from '../ports/counter-store.ts'

/** Adds up counts of one workspace, so that a batch costs one delta per distinct counter. */
export class CountTally {
  readonly #workspaceId: string
  readonly #deltas = new Map<string, CountDelta>()

  constructor(workspaceId: string) {
    this.#workspaceId = workspaceId
  }

  /** Adds `count` (0 does nothing) to a counter; see CountDelta for what the names mean. */
  add(sourceId: string, destinationId: string, kind: CountKind, reason: string, count: number): void {
    if (count === 0) return
    const key = JSON.stringify([sourceId, destinationId, kind, reason])
    const before = this.#deltas.get(key)?.count ?? 0
    const workspaceId = this.#workspaceId
    this.#deltas.set(key, { workspaceId, sourceId, destinationId, kind, reason, count: before + count })
  }

  deltas(): readonly CountDelta[] {
    return [...this.#deltas.values()]
  }
}
