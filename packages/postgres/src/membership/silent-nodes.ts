/** A node as it is read from the store. */
export interface NodeBeat {
  readonly id: string
  /** Grows with every beat. */
  readonly beat: number
  /** Milliseconds after which it counts as dead; it stops by itself a margin earlier. */
  readonly lease_ms: number
}

/**
 * Finds nodes that are silent for longer than their leases, which differ while processes are restarted with another one.
 * Only the time of this process between two looks counts: no clocks are compared, so one that jumps does no harm.
 */
export class SilentNodes {
  readonly #seen = new Map<string, { readonly beat: number; readonly since: number }>()

  /** Ids of those that were seen last time. */
  get seen(): readonly string[] {
    return [...this.#seen.keys()]
  }

  /** Returns whether some that were seen last time are not there any more. */
  areGone(nodes: readonly NodeBeat[]): boolean {
    return [...this.#seen.keys()].some((id) => !nodes.some((node) => node.id === id))
  }

  /** Forgets a node that has another id now. */
  forget(id: string): void {
    this.#seen.delete(id)
  }

  /** @param now milliseconds that never run backwards. @returns the nodes whose last beat is one of their leases ago. */
  look(nodes: readonly NodeBeat[], now: number): readonly NodeBeat[] {
    const present = new Set(nodes.map(({ id }) => id))
    for (const id of this.#seen.keys()) if (!present.has(id)) this.#seen.delete(id)
    return nodes.filter(({ id, beat, lease_ms }) => {
      const seen = this.#seen.get(id)
      if (seen === undefined || seen.beat !== beat) {
        this.#seen.set(id, { beat, since: now })
        return false
      }
      return now - seen.since >= lease_ms
    })
  }
}
