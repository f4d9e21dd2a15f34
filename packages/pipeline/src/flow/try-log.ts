import type { SourcedEvent } from '@sluice/core'
import type { DeliveryTry } from '@sluice/delivery'

/** Tries of an event that are kept: the newest. */
export const triesMax = 10

/**
 * The tries of events that are under way at one destination, until their outcome is recorded. Events that the first try
 * delivers have none.
 */
export class TryLog {
  readonly #tries = new WeakMap<SourcedEvent, DeliveryTry[]>()

  readonly watch = ({ source }: { readonly source: SourcedEvent }, made: DeliveryTry): void => {
    const known = this.#tries.get(source)
    if (known === undefined) this.#tries.set(source, [made])
    else if (known.push(made) > triesMax) known.shift()
  }

  /** Returns the tries of an event, the newest last, and forgets them. */
  take(source: SourcedEvent): readonly DeliveryTry[] {
    const tries = this.#tries.get(source) ?? noTries
    this.#tries.delete(source)
    return tries
  }
}

const noTries: readonly DeliveryTry[] = []
