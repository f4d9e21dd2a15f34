/**
 * Watches abort signals for many items with one listener per signal: a listener each would make Node warn of a leak as
 * soon as a dozen batches share a signal.
 */
export class AbortGroups<Item> {
  readonly #onAbort: (item: Item, reason: unknown) => void
  readonly #groups = new Map<AbortSignal, { readonly items: Set<Item>; readonly listener: () => void }>()
  readonly #signals = new Map<Item, AbortSignal>()

  constructor(onAbort: (item: Item, reason: unknown) => void) {
    this.#onAbort = onAbort
  }

  add(signal: AbortSignal, item: Item): void {
    const known = this.#groups.get(signal)
    this.#signals.set(item, signal)
    if (known) known.items.add(item)
    else this.#groups.set(signal, this.#newGroup(signal, item))
  }

  /** Stops watching for an item; one that is not watched is fine. */
  remove(item: Item): void {
    const signal = this.#signals.get(item)
    const group = signal && this.#groups.get(signal)
    this.#signals.delete(item)
    if (signal === undefined || group === undefined) return
    group.items.delete(item)
    if (group.items.size > 0) return
    signal.removeEventListener('abort', group.listener)
    this.#groups.delete(signal)
  }

  #newGroup(signal: AbortSignal, item: Item) {
    const items = new Set([item])
    const listener = (): void => {
      for (const each of [...items]) this.#onAbort(each, signal.reason)
    }
    signal.addEventListener('abort', listener)
    return { items, listener }
  }
}
