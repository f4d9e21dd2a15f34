import type { DeferredEntry } from '../../ports/deferred-event.ts'

/** An event that waits; `place` is its rank in the order in which events were deferred. */
interface PlacedEntry extends DeferredEntry {
  readonly place: number
}

interface WaitingEventsOptions {
  /** Whether something of an event is under way, though it may be the first one of its users. */
  isUnderWay(id: string): boolean
  /** Called when nothing of a user waits any more. */
  onFreed(userKey: string): void
}

/**
 * Events of one destination that wait to be tried again, in the order in which they were deferred. An event may be tried
 * once it is stored, nothing of it is under way, and it is the first one of each of its users.
 */
export class WaitingEvents {
  readonly #options: WaitingEventsOptions
  /** In the order they were deferred. */
  readonly #entries = new Map<string, PlacedEntry>()
  /** Ids of events by user, in the order in which they wait for each other. */
  readonly #byUser = new Map<string, Set<string>>()
  /** Ids that are not stored yet, and must not be tried. */
  readonly #unstored = new Set<string>()
  #lastPlace = 0

  constructor(entries: readonly DeferredEntry[], options: WaitingEventsOptions) {
    this.#options = options
    for (const entry of entries) this.enter(entry)
  }

  get size(): number {
    return this.#entries.size
  }

  /** The id of the event that was deferred first. */
  get oldestId(): string | undefined {
    return this.#entries.keys().next().value
  }

  ids(): readonly string[] {
    return [...this.#entries.keys()]
  }

  has(id: string): boolean {
    return this.#entries.has(id)
  }

  /** Whether an event of this user waits. */
  isHeld(userKey: string): boolean {
    return this.#byUser.has(userKey)
  }

  isStored(id: string): boolean {
    return !this.#unstored.has(id)
  }

  /** Whether an event waits, is stored, and nothing of it is under way. */
  isFree(id: string): boolean {
    return this.#entries.has(id) && this.isStored(id) && !this.#options.isUnderWay(id)
  }

  /** Adds an event, or changes what is known of one, which keeps its place. */
  enter({ id, userKeys, dueAt }: DeferredEntry): void {
    const before = this.#entries.get(id)
    for (const key of before?.userKeys ?? []) if (!userKeys.includes(key)) this.#leaveUser(id, key)
    if (before === undefined) this.#lastPlace += 1
    this.#entries.set(id, { id, userKeys, dueAt, place: before?.place ?? this.#lastPlace })
    for (const key of userKeys) {
      const ids = this.#byUser.get(key) ?? new Set()
      const isLate = before !== undefined && !ids.has(id)
      ids.add(id)
      this.#byUser.set(key, isLate ? this.#inOrder(ids) : ids)
    }
  }

  /** Adds an event that is about to be stored. */
  enterUnstored(entry: DeferredEntry): void {
    this.enter(entry)
    this.#unstored.add(entry.id)
  }

  stored(id: string): void {
    this.#unstored.delete(id)
  }

  leave(id: string): void {
    for (const key of this.#entries.get(id)?.userKeys ?? []) this.#leaveUser(id, key)
    this.#entries.delete(id)
    this.#unstored.delete(id)
  }

  postpone(id: string, dueAt: number): void {
    const entry = this.#entries.get(id)
    if (entry) this.#entries.set(id, { ...entry, dueAt })
  }

  /** The clock was set back: what is due becomes due that much earlier. */
  setBack(milliseconds: number): void {
    for (const [id, entry] of this.#entries) this.#entries.set(id, { ...entry, dueAt: entry.dueAt - milliseconds })
  }

  /** Those that may be tried, in order: of each user the first one. */
  *firsts(): Generator<DeferredEntry> {
    for (const entry of this.#entries.values()) if (this.#isFirst(entry)) yield entry
  }

  /** Returns ids of events that are due, without those of users of whom an earlier event is left out. */
  dueTogether(isDue: (entry: DeferredEntry) => boolean, max: number): readonly string[] {
    const due: string[] = []
    const waiting = new Set<string>()
    for (const entry of this.#entries.values()) {
      if (due.length >= max) break
      const { id, userKeys } = entry
      const isNext = this.isFree(id) && userKeys.every((key) => !waiting.has(key))
      if (isNext && isDue(entry)) due.push(id)
      else for (const key of userKeys) waiting.add(key)
    }
    return due
  }

  #isFirst({ id, userKeys }: DeferredEntry): boolean {
    return this.isFree(id) && userKeys.every((key) => this.#byUser.get(key)?.values().next().value === id)
  }

  #leaveUser(id: string, userKey: string): void {
    const ids = this.#byUser.get(userKey)
    ids?.delete(id)
    if (ids?.size !== 0) return
    this.#byUser.delete(userKey)
    this.#options.onFreed(userKey)
  }

  /** The same order for every user: two events that shared two users in different orders would wait for each other. */
  #inOrder(ids: ReadonlySet<string>): Set<string> {
    const placeOf = (id: string): number => this.#entries.get(id)?.place ?? 0
    return new Set([...ids].sort((a, b) => placeOf(a) - placeOf(b)))
  }
}
