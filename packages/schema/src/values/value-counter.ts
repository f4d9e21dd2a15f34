import { compareCodePoints } from '../shapes/compare-code-points.ts'
import type { CountedValue } from '../shapes/counted-value.ts'
import type { Mentions } from './mentions.ts'
import { ValueTable } from './value-table.ts'

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
  readonly #held = new ValueTable()
  readonly #memory: ValueMemory
  #observations = 0
  /** The most times that a value which is not held may have been seen. */
  #missedMax = 0

  constructor(memory: ValueMemory = { bytes: 0 }) {
    this.#memory = memory
    this.#memory.bytes += counterBytes
  }

  get observations(): number {
    return this.#observations
  }

  get size(): number {
    return this.#held.size
  }

  /** Counts a value that is held. @returns false when it is not held. */
  addKnown(value: CountedValue): boolean {
    const place = this.#held.find(value)
    if (place < 0) return false
    this.#held.count(place, 1)
    this.#observe()
    return true
  }

  /** Counts a value for which `addKnown` has just returned false. */
  addNew(value: CountedValue): void {
    this.#hold(value, 1, this.#missedMax)
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
    const max = Math.max(this.#missedMax, Math.floor(this.#observations / bucketLength))
    this.#missedMax = max
    this.#retain((place) => this.#seenAtMost(place) > max)
  }

  /** The most times that a held value may have been seen. */
  #seenAtMost(place: number): number {
    return this.#held.seen(place) + this.#held.missed(place)
  }

  /** Removes the values at whose places `isKept` returns false. @returns whether there was one. */
  #retain(isKept: (place: number) => boolean): boolean {
    let bytes = 0
    this.#held.retain((place) => {
      if (isKept(place)) return true
      bytes += bytesOf(this.#held.value(place))
      return false
    })
    this.#memory.bytes -= bytes
    return bytes > 0
  }

  /** Adds the observations of another counter of the same key, which stays unchanged. Values are texts from then on. */
  merge(other: ValueCounter): void {
    const held = this.#held
    const theirs = new Map<CountedValue, number>()
    for (const place of other.#held.places()) theirs.set(String(other.#held.value(place)), place)
    if (other.#missedMax > 0)
      for (const place of held.places()) if (!theirs.has(held.value(place))) held.count(place, 0, other.#missedMax)
    for (const [value, place] of theirs) {
      const mine = held.find(value)
      const seen = other.#held.seen(place)
      const missed = other.#held.missed(place)
      if (mine < 0) this.#hold(value, seen, missed + this.#missedMax)
      else held.count(mine, seen, missed)
    }
    this.#missedMax += other.#missedMax
    const bucketsBefore = Math.floor(this.#observations / bucketLength)
    this.#observations += other.#observations
    if (Math.floor(this.#observations / bucketLength) > bucketsBefore) this.#endBucket()
  }

  /** Removes the rarest values, so that at most `max` are left. @returns the number of removed values. */
  prune(max: number): number {
    const held = this.#held
    if (held.size <= max) return 0
    const gone = new Set([...held.places()].sort((a, b) => held.seen(b) - held.seen(a)).slice(max))
    for (const place of gone) this.#missedMax = Math.max(this.#missedMax, this.#seenAtMost(place))
    this.#retain((place) => !gone.has(place))
    return gone.size
  }

  /** Removes one value; its observations stay counted. @returns whether it was held. */
  forget(value: CountedValue): boolean {
    const forgotten = this.#held.find(value)
    return forgotten >= 0 && this.#retain((place) => place !== forgotten)
  }

  /** Returns how many values mention users. */
  countMentions(mentions: Mentions): number {
    return [...this.#held.places()].filter((place) => mentions.isIn(this.#held.value(place))).length
  }

  /** Removes the values of a path that mention users, or that only they had. @returns whether one was held. */
  forgetMentions(mentions: Mentions, path: string): boolean {
    return this.#retain((place) => {
      const value = this.#held.value(place)
      return !(mentions.isIn(value) || mentions.isOnlyTheirs(path, value, this.#seenAtMost(place)))
    })
  }

  /** Must be called once, when a counter is no longer used. */
  release(): void {
    for (const place of this.#held.places()) this.#memory.bytes -= bytesOf(this.#held.value(place))
    this.#memory.bytes -= counterBytes
    this.#held.clear()
  }

  #hold(value: CountedValue, seen: number, missed: number): void {
    this.#held.add(value, seen, missed)
    this.#memory.bytes += bytesOf(value)
  }

  /** Returns the values with a share of 0.009 or more, the most frequent first, equally frequent ones by code point. */
  frequent(): readonly FrequentValue[] {
    const listed: FrequentValue[] = []
    for (const place of this.#held.places()) {
      const seen = this.#held.seen(place)
      if (seen * 1_000 < listedThousandths * this.#observations) continue
      listed.push({
        value: String(this.#held.value(place)),
        frequency: Math.min(1, seen / this.#observations + support),
      })
    }
    return listed.sort((a, b) => b.frequency - a.frequency || compareCodePoints(a.value, b.value))
  }

  /**
   * Returns the counter with its values as texts. The stored form does not distinguish 1 from '1', which never occur
   * together for a key of a version.
   */
  toStored(): StoredCounter {
    const held = this.#held
    const entries = [...held.places()].map(
      (place) => [String(held.value(place)), held.seen(place), held.missed(place)] as const,
    )
    return [this.#observations, this.#missedMax, ...entries]
  }

  static fromStored([observations, missedMax, ...entries]: StoredCounter): ValueCounter {
    const counter = new ValueCounter()
    counter.#observations = observations
    counter.#missedMax = missedMax
    // A stored text has each value once, unless somebody changed it.
    for (const [value, seen, missed] of entries) if (counter.#held.find(value) < 0) counter.#hold(value, seen, missed)
    return counter
  }
}

function bytesOf(value: CountedValue): number {
  return typeof value === 'string' ? entryBytes + value.length : entryBytes
}
