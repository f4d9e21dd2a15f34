import { LRUCache } from '#inlined/lru-cache'

/** Duration above which a job is heavy. It is also the longest acceptable delay for a light batch of another owner. */
export const heavyMs = 20
/** How long an owner counts as heavy after a heavy job. Each further heavy job doubles this, up to `lastHeavyForMs`. */
const firstHeavyForMs = 10_000
const lastHeavyForMs = 600_000
/** Number of batches that a suspect must run without ending its thread before it is trusted again. */
const cleanRunsNeeded = 20
/**
 * Number of suspect programs from which all programs of their owner are suspect. Otherwise an owner could always use
 * new programs, and each ended thread delays every owner.
 */
const suspectProgramsMax = 3
/**
 * Largest number of owners, and of programs, that are remembered. Each takes some 100 bytes. A forgotten one counts as
 * well-behaved.
 */
const rememberedMax = 10_000
/** Weight of the newest job in the average of an owner. */
const newestWeight = 0.2

interface OwnerRecord {
  averageMs: number
  heavyUntil: number
  heavyForMs: number
  readonly suspectPrograms: Set<number>
}

/**
 * Records how the jobs of each owner behave, to decide which jobs may share a thread. Jobs of a heavy owner do not
 * share a thread with other owners. A suspect program is one that ended a thread; it gets a thread of its own.
 */
export class OwnerHistory {
  readonly #owners = new LRUCache<string, OwnerRecord>({ max: rememberedMax })
  /** Suspect programs, with the number of batches that each has run without ending a thread since. */
  readonly #suspects = new LRUCache<number, number>({ max: rememberedMax })

  /** Returns the average duration of this owner's jobs in milliseconds; 1 for an unknown owner. */
  averageMs(owner: string): number {
    return this.#owners.get(owner)?.averageMs ?? 1
  }

  /**
   * Records that a job of this owner ran for `ms`, not counting waits. `now` is in milliseconds of a monotonic clock.
   */
  took(owner: string, ms: number, now: number): void {
    const known = this.#of(owner)
    known.averageMs += (ms - known.averageMs) * newestWeight
    if (ms <= heavyMs) return
    if (known.heavyUntil + lastHeavyForMs < now) known.heavyForMs = firstHeavyForMs
    else if (known.heavyUntil < now) known.heavyForMs = Math.min(lastHeavyForMs, known.heavyForMs * 2)
    known.heavyUntil = now + known.heavyForMs
  }

  isHeavy(owner: string, now: number): boolean {
    return (this.#owners.get(owner)?.heavyUntil ?? Number.NEGATIVE_INFINITY) >= now
  }

  /** Records that this program ended its thread. */
  endedThread(owner: string, program: number): void {
    this.#suspects.set(program, 0)
    this.#of(owner).suspectPrograms.add(program)
  }

  /** Records that a batch of this program did not end its thread. */
  behaved(owner: string, program: number): void {
    if (this.#suspects.size === 0) return
    const clean = this.#suspects.get(program)
    if (clean === undefined) return
    if (clean + 1 < cleanRunsNeeded) {
      this.#suspects.set(program, clean + 1)
      return
    }
    this.#suspects.delete(program)
    this.#owners.get(owner)?.suspectPrograms.delete(program)
  }

  isSuspect(owner: string, program: number): boolean {
    if (this.#suspects.size === 0) return false
    return this.#suspects.has(program) || (this.#owners.get(owner)?.suspectPrograms.size ?? 0) >= suspectProgramsMax
  }

  #of(owner: string): OwnerRecord {
    const known = this.#owners.get(owner)
    if (known) return known
    const fresh = {
      averageMs: 1,
      heavyUntil: Number.NEGATIVE_INFINITY,
      heavyForMs: firstHeavyForMs,
      suspectPrograms: new Set<number>(),
    }
    this.#owners.set(owner, fresh)
    return fresh
  }
}
