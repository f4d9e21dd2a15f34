import type { Mutable } from '../../mutable.ts'
import type { CountDelta, CountKind, NamedCount } from '../../ports/stores/counter-store.ts'

/** Counts by name that have all else in common. */
interface NamedCounts extends Pick<CountDelta, 'sourceId' | 'destinationId' | 'kind' | 'reason'> {
  readonly day: string
  readonly byName: Map<string, Mutable<CountDelta>>
}

/** Adds up counts of one workspace, so that a batch costs one delta per distinct counter. */
export class CountTally {
  readonly #workspaceId: string
  readonly #deltas = new Map<string, Mutable<CountDelta>>()
  readonly #named = new Map<string, NamedCounts>()
  /** The counts to which the last event was added. */
  #last: NamedCounts | undefined

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
    let like = this.#last
    // Most events of a batch differ from the one before in their name only: then no key is put together.
    if (
      like === undefined ||
      like.kind !== kind ||
      like.reason !== reason ||
      like.day !== day ||
      like.sourceId !== sourceId ||
      like.destinationId !== destinationId
    ) {
      const key = `${kind} ${sourceId.length} ${destinationId.length} ${day} ${sourceId}${destinationId}${reason}`
      like = this.#named.get(key) ?? { kind, reason, day, sourceId, destinationId, byName: new Map() }
      this.#named.set(key, like)
      this.#last = like
    }
    const delta = like.byName.get(name)
    if (delta) delta.count += count
    else like.byName.set(name, { workspaceId: this.#workspaceId, sourceId, destinationId, kind, reason, count, named })
  }

  /** Whether nothing was added. */
  get isEmpty(): boolean {
    return this.#deltas.size === 0 && this.#named.size === 0
  }

  deltas(): readonly CountDelta[] {
    const named = [...this.#named.values()].flatMap(({ byName }) => [...byName.values()])
    return [...this.#deltas.values(), ...named].map((delta) => ({ ...delta }))
  }
}
