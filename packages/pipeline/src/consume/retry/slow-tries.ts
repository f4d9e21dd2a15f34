import type { DestinationResult } from '../../flow/destination-result.ts'

/** Users whose last attempt took long, and the tries of their events: the others do not wait for them. */
export class SlowTries {
  readonly #max: number
  readonly #users = new Set<string>()
  readonly #tries = new Set<Promise<void>>()

  /** @param max tries at a time. */
  constructor(max: number) {
    this.#max = max
  }

  /** Whether the last attempt of any user took long. */
  get isNeeded(): boolean {
    return this.#users.size > 0
  }

  /** Remembers the users for whom attempts took long. */
  note({ deferrals }: DestinationResult): void {
    for (const { userKey, isSlow } of deferrals) if (isSlow) this.#users.add(userKey)
  }

  /** Forgets a user of whom nothing waits any more. */
  forget(userKey: string): void {
    this.#users.delete(userKey)
  }

  wasSlow({ userKeys }: { readonly userKeys: readonly string[] }): boolean {
    return this.#users.size > 0 && userKeys.some((key) => this.#users.has(key))
  }

  /** How many more may be tried. @param kept attempts of others that hang, too: these never leave no room. */
  room(kept: number): number {
    return Math.max(0, (kept > 0 ? 1 : this.#max) - this.#tries.size)
  }

  /** Counts a try until it ends. @param tried never rejects. @param onEnd called when there is room for another one. */
  add(tried: Promise<void>, onEnd: () => void): void {
    const counted = tried.finally(() => {
      this.#tries.delete(counted)
      onEnd()
    })
    this.#tries.add(counted)
  }

  /** Resolves when those that run have ended. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#tries)
  }
}
