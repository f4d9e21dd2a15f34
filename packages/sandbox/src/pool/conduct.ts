import { LRUCache } from 'lru-cache'

/** A job that takes longer is heavy: it is as long as another owner's light batch may be delayed by it. */
export const heavyMs = 20
/** An owner with a heavy job counts as heavy for so long, twice as long each time it surprises again, at most … */
const firstHeavyForMs = 10_000
const lastHeavyForMs = 600_000
/** A suspect is trusted again after so many batches that did not end their thread. */
const cleanRunsNeeded = 20
/** An owner with so many suspect programs is suspect itself: new programs cost it nothing, but threads cost everybody. */
const suspectProgramsMax = 3
/** Owners and programs remembered; one that is forgotten is taken for well-behaved. Some 100 bytes each. */
const rememberedMax = 10_000
/** Weight of the newest job in the average of an owner. */
const newestWeight = 0.2

interface OwnerConduct {
  averageMs: number
  heavyUntil: number
  heavyForMs: number
  readonly suspectPrograms: Set<number>
}

/**
 * What the jobs of each owner were like, by which it is decided with whom they may share a thread: those of a heavy owner
 * share none with other owners, a suspect program (one that ended a thread) has its thread for itself.
 */
export class Conduct {
  readonly #owners = new LRUCache<string, OwnerConduct>({ max: rememberedMax })
  /** Suspect programs, with their clean runs since. */
  readonly #suspects = new LRUCache<number, number>({ max: rememberedMax })

  /** Milliseconds that a job of this owner takes on average; 1 for an unknown one. */
  averageMs(owner: string): number {
    return this.#owners.get(owner)?.averageMs ?? 1
  }

  /** A job of this owner took `ms` of running time, waits excluded. `now` in milliseconds of a clock that only goes forward. */
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

  /** This program ended its thread. */
  endedThread(owner: string, program: number): void {
    this.#suspects.set(program, 0)
    this.#of(owner).suspectPrograms.add(program)
  }

  /** A batch of this program ended as it should. */
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

  #of(owner: string): OwnerConduct {
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
