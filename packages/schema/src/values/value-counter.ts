import { compareCodePoints } from '../shapes/compare-code-points.ts'
import type { CountedValue } from '../shapes/counted-value.ts'
import type { Mentions } from './mentions.ts'

export interface FrequentValue {
  /** As JavaScript's `String(value)`. */
  readonly value: string
  /** Share of the observations of its key, overstated by a hundredth, at most 1. */
  readonly frequency: number
}

/**
 * A counter as stored: observations, the most times an unlisted value may have been seen, then per value: value, seen,
 * possibly missed.
 */
export type StoredCounter = readonly [number, number, ...(readonly [string, number, number])[]]

/** Observations after which rare values are pruned: 1 / error, with an error of 0.001. */
const bucketLength = 1_000
/** Smallest share that is listed: a support of 0.01 minus the error of 0.001, in thousandths. */
const listedThousandths = 9
const support = 0.01

/** Estimated memory of counters, shared by those that get the same object. */
export interface ValueMemory {
  bytes: number
  /** Whether the rest is reserved for other workspaces. */
  readonly isFull?: boolean
}

interface Entry {
  seen: number
  /** How often it may have been seen before it was held. */
  missed: number
}

/** Bytes of an empty counter, and of an entry without the characters of its value, as measured with V8. */
const counterBytes = 320
const entryBytes = 64

/**
 * Finds the values that make up a hundredth or more of a key's observations, without storing all values.
 *
 * Lossy counting: with n observations a value is counted at most n / 1000 too low and never too high. So every value
 * with a share of 0.01 or more is listed, and none with less than 0.009. Merging counters adds their errors, which stay
 * within n / 1000 of the sum; values that were refused (`miss`) or pruned for room add to the error. Usually about a
 * thousand entries at most.
 *
 * Sources: packages/docs/behaviour/schemas.md#frequent-values; Manku and Motwani, VLDB 2002. The paper also prunes
 * early entries like others; RudderStack never prunes them, because of an overflow.
 */
export class ValueCounter {
  /**
   * Values by themselves. A value seen once, as most are, has only a number: how often it may have been seen before.
   */
  readonly #entries = new Map<CountedValue, Entry | number>()
  readonly #memory: ValueMemory
  #observations = 0
  /** The most times that a value which is not held may have been seen. */
  #missedMax = 0
  /** Many keys have the same value time after time; it is counted without a look-up. */
  #last: CountedValue | undefined
  #lastEntry: Entry = { seen: 0, missed: 0 }

  constructor(memory: ValueMemory = { bytes: 0 }) {
    this.#memory = memory
    this.#memory.bytes += counterBytes
  }

  get observations(): number {
    return this.#observations
  }

  get size(): number {
    return this.#entries.size
  }

  /** Counts a value that is held. @returns false when it is not held. */
  addKnown(value: CountedValue): boolean {
    if (value !== this.#last) {
      const entry = this.#entries.get(value)
      if (entry === undefined) return false
      this.#last = value
      this.#lastEntry = typeof entry === 'number' ? this.#grow(value, entry) : entry
    }
    this.#lastEntry.seen += 1
    this.#observe()
    return true
  }

  #grow(value: CountedValue, missed: number): Entry {
    const entry = { seen: 1, missed }
    this.#entries.set(value, entry)
    return entry
  }

  /** Counts a value that is not held. */
  addNew(value: CountedValue): void {
    this.#entries.set(value, this.#missedMax)
    this.#memory.bytes += bytesOf(value)
    this.#observe()
  }

  /** Counts an observation whose value cannot be held. */
  miss(): void {
    this.#missedMax += 1
    this.#observe()
  }

  #observe(): void {
    this.#observations += 1
    if (this.#observations % bucketLength === 0) this.#endBucket()
  }

  #endBucket(): void {
    this.#missedMax = Math.max(this.#missedMax, Math.floor(this.#observations / bucketLength))
    for (const [value, seen, missed] of this.#held()) if (seen + missed <= this.#missedMax) this.forget(value)
  }

  *#held(): Iterable<readonly [CountedValue, number, number]> {
    for (const [value, entry] of this.#entries)
      yield typeof entry === 'number' ? [value, 1, entry] : [value, entry.seen, entry.missed]
  }

  /** Adds the observations of another counter of the same key, which stays unchanged. Values are texts from then on. */
  merge(other: ValueCounter): void {
    const theirs = new Map<CountedValue, Entry>()
    for (const [value, seen, missed] of other.#held()) theirs.set(String(value), { seen, missed })
    if (other.#missedMax > 0)
      for (const [value, seen, missed] of [...this.#held()])
        if (!theirs.has(value)) this.#entries.set(value, { seen, missed: missed + other.#missedMax })
    for (const [value, { seen, missed }] of theirs) {
      const mine = this.#entries.get(value)
      if (mine === undefined) this.#hold(value, seen, missed + this.#missedMax)
      else if (typeof mine === 'number') this.#entries.set(value, { seen: seen + 1, missed: missed + mine })
      else {
        mine.seen += seen
        mine.missed += missed
      }
    }
    this.#missedMax += other.#missedMax
    // The entry may have been replaced.
    this.#last = undefined
    const bucketsBefore = Math.floor(this.#observations / bucketLength)
    this.#observations += other.#observations
    if (Math.floor(this.#observations / bucketLength) > bucketsBefore) this.#endBucket()
  }

  /** Removes the rarest values, so that at most `max` are left. @returns the number of removed values. */
  prune(max: number): number {
    if (this.#entries.size <= max) return 0
    const gone = [...this.#held()].sort(([, a], [, b]) => b - a).slice(max)
    for (const [value, seen, missed] of gone) {
      this.#missedMax = Math.max(this.#missedMax, seen + missed)
      this.forget(value)
    }
    return gone.length
  }

  /** Removes one value; its observations stay counted. @returns whether it was held. */
  forget(value: CountedValue): boolean {
    if (!this.#entries.delete(value)) return false
    this.#memory.bytes -= bytesOf(value)
    if (value === this.#last) this.#last = undefined
    return true
  }

  /** Returns how many values mention users. */
  countMentions(mentions: Mentions): number {
    return [...this.#entries.keys()].filter((value) => mentions.isIn(value)).length
  }

  /** Removes the values of a path that mention users, or that only they had. @returns whether one was held. */
  forgetMentions(mentions: Mentions, path: string): boolean {
    let found = false
    for (const [value, seen, missed] of this.#held())
      if (mentions.isIn(value) || mentions.isOnlyTheirs(path, value, seen + missed)) found = this.forget(value) || found
    return found
  }

  /** Must be called once, when a counter is no longer used. */
  release(): void {
    for (const value of this.#entries.keys()) this.#memory.bytes -= bytesOf(value)
    this.#memory.bytes -= counterBytes
    this.#entries.clear()
    this.#last = undefined
  }

  #hold(value: CountedValue, seen: number, missed: number): void {
    this.#entries.set(value, { seen, missed })
    this.#memory.bytes += bytesOf(value)
  }

  /** Returns the values with a share of 0.009 or more, the most frequent first, equally frequent ones by code point. */
  frequent(): readonly FrequentValue[] {
    const listed: FrequentValue[] = []
    for (const [value, seen] of this.#held()) {
      if (seen * 1_000 < listedThousandths * this.#observations) continue
      listed.push({ value: String(value), frequency: Math.min(1, seen / this.#observations + support) })
    }
    return listed.sort((a, b) => b.frequency - a.frequency || compareCodePoints(a.value, b.value))
  }

  /**
   * Returns the counter with its values as texts. The stored form does not distinguish 1 from '1', which never occur
   * together for a key of a version.
   */
  toStored(): StoredCounter {
    const entries = [...this.#held()].map(([value, seen, missed]) => [String(value), seen, missed] as const)
    return [this.#observations, this.#missedMax, ...entries]
  }

  static fromStored([observations, missedMax, ...entries]: StoredCounter): ValueCounter {
    const counter = new ValueCounter()
    counter.#observations = observations
    counter.#missedMax = missedMax
    for (const [value, seen, missed] of entries) counter.#hold(value, seen, missed)
    return counter
  }
}

function bytesOf(value: CountedValue): number {
  return typeof value === 'string' ? entryBytes + value.length : entryBytes
}
