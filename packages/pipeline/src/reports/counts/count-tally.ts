import type { Mutable } from '../../mutable.ts'
import type { CountDelta, CountKind, NamedCount } from '../../ports/stores/counter-store.ts'

/** Adds up counts of one workspace, so that a batch costs one delta per distinct counter. */
export class CountTally {
  readonly #workspaceId: string
  readonly #deltas = new Map<string, Mutable<CountDelta>>()

  constructor(workspaceId: string) {
    this.#workspaceId = workspaceId
  }

  /** Adds `count` (0 does nothing) to a counter; see CountDelta for what the names mean. */
  add(sourceId: string, destinationId: string, kind: CountKind, reason: string, count: number): void {
    if (count === 0) return
    // The lengths keep ids apart; JSON text of them would take longer than everything else that is recorded of an event.
    const key = `${kind} ${sourceId.length} ${destinationId.length} ${sourceId}${destinationId}${reason}`
    const delta = this.#deltas.get(key)
    if (delta) delta.count += count
    else this.#deltas.set(key, { workspaceId: this.#workspaceId, sourceId, destinationId, kind, reason, count })
  }

  /** Adds `count` to a counter of one name and day. */
  addNamed(
    sourceId: string,
    destinationId: string,
    kind: CountKind,
    { reason, named, count }: Pick<NamedCount, 'reason' | 'named' | 'count'>,
  ): void {
    const { day, name } = named
    const key = `${kind} ${sourceId.length} ${destinationId.length} ${reason.length} ${day} ${sourceId}${destinationId}${reason}${name}`
    const delta = this.#deltas.get(key)
    if (delta) delta.count += count
    else this.#deltas.set(key, { workspaceId: this.#workspaceId, sourceId, destinationId, kind, reason, count, named })
  }

  /** Whether nothing was added. */
  get isEmpty(): boolean {
    return this.#deltas.size === 0
  }

  deltas(): readonly CountDelta[] {
    return [...this.#deltas.values()].map((delta) => ({ ...delta }))
  }
}
