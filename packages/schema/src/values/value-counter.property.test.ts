import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { CountedValue } from '../shapes/counted-value.ts'
import { createMentions } from './mentions.ts'
import { type StoredCounter, ValueCounter } from './value-counter.ts'

interface PlainEntry {
  readonly value: CountedValue
  seen: number
  missed: number
}

/** Lossy counting as the paper has it, with a list that is looked through: slow, and as it is written down. */
class PlainCounter {
  entries: PlainEntry[] = []
  observations = 0
  missedMax = 0

  add(value: CountedValue): void {
    const known = this.entries.find((entry) => Object.is(entry.value, value))
    if (known === undefined) this.entries.push({ value, seen: 1, missed: this.missedMax })
    else known.seen += 1
    this.observe()
  }

  miss(): void {
    this.missedMax += 1
    this.observe()
  }

  observe(): void {
    this.observations += 1
    if (this.observations % 1_000 === 0) this.endBucket()
  }

  endBucket(): void {
    this.missedMax = Math.max(this.missedMax, Math.floor(this.observations / 1_000))
    this.entries = this.entries.filter(({ seen, missed }) => seen + missed > this.missedMax)
  }

  merge(other: PlainCounter): void {
    const find = (entries: readonly PlainEntry[], text: CountedValue) => entries.find(({ value }) => value === text)
    const theirs = other.entries.map((entry) => ({ ...entry, value: String(entry.value) }))
    for (const mine of this.entries) if (!find(theirs, mine.value)) mine.missed += other.missedMax
    for (const { value, seen, missed } of theirs) {
      const mine = find(this.entries, value)
      if (mine === undefined) this.entries.push({ value, seen, missed: missed + this.missedMax })
      else {
        mine.seen += seen
        mine.missed += missed
      }
    }
    this.missedMax += other.missedMax
    const before = Math.floor(this.observations / 1_000)
    this.observations += other.observations
    if (Math.floor(this.observations / 1_000) > before) this.endBucket()
  }

  prune(max: number): void {
    const gone = this.entries.toSorted((a, b) => b.seen - a.seen).slice(max)
    for (const { seen, missed } of gone) this.missedMax = Math.max(this.missedMax, seen + missed)
    this.entries = this.entries.filter((entry) => !gone.includes(entry))
  }

  forget(isForgotten: (value: CountedValue) => boolean): void {
    this.entries = this.entries.filter(({ value }) => !isForgotten(value))
  }

  toStored(): StoredCounter {
    const entries = this.entries.map(({ value, seen, missed }) => [String(value), seen, missed] as const)
    return [this.observations, this.missedMax, ...entries]
  }

  /** As documented with the limit of the memory: a fixed amount, and one for each value with its characters. */
  get bytes(): number {
    const texts = this.entries.map(({ value }) => (typeof value === 'string' ? value.length : 0))
    return texts.reduce((sum, length) => sum + 64 + length, 320)
  }
}

/** Both count the same. */
class Pair {
  readonly memory = { bytes: 0 }
  readonly counter = new ValueCounter(this.memory)
  readonly plain = new PlainCounter()

  add(value: CountedValue): void {
    if (!this.counter.addKnown(value)) this.counter.addNew(value)
    this.plain.add(value)
  }
}

/** A key has values of one type. Some texts have one hash: they differ where a long text is not hashed. */
const forms: readonly ((n: number) => CountedValue)[] = [
  (n) => `user-${n}`,
  (n) => `${String(n).padStart(20, '0')}${'x'.repeat(180)}`,
  (n) => ['__proto__', 'constructor', 'Key', 'key', 'KEY', 'é', 'e\u0301', '', ' ', '\ud800'][n % 10] as string,
  (n) => n,
  (n) => n / 7,
  (n) => n % 2 === 0,
]

/** Low numbers are frequent, so that some values are kept when rare ones are dropped. */
const stream = fc
  .record({ count: fc.nat(1_500), spread: fc.constantFrom(2, 9, 60, 3_000), seed: fc.nat() })
  .map(({ count, spread, seed }) => {
    let state = seed
    return Array.from({ length: count }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((state / 2 ** 32) ** 3 * spread)
    })
  })

const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ add: stream }) },
  { weight: 3, arbitrary: fc.record({ merge: stream }) },
  { weight: 1, arbitrary: fc.record({ miss: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ prune: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ forget: fc.nat(60) }) },
  { weight: 1, arbitrary: fc.record({ forgetUser: fc.nat(60) }) },
  { weight: 1, arbitrary: fc.constant({ store: true }) },
)

it('agrees with plain lossy counting, value by value and byte by byte, whatever is counted, merged, stored and removed', () => {
  const law = fc.property(fc.constantFrom(...forms), fc.array(step, { maxLength: 8 }), (form, steps) => {
    const { plain, memory, counter: first } = new Pair()
    let counter = first
    for (const each of steps) {
      if ('add' in each)
        for (const n of each.add) {
          if (!counter.addKnown(form(n))) counter.addNew(form(n))
          plain.add(form(n))
        }
      else if ('merge' in each) {
        const other = new Pair()
        for (const n of each.merge) other.add(form(n))
        counter.merge(other.counter)
        plain.merge(other.plain)
      } else if ('miss' in each)
        for (let n = 0; n < each.miss; n += 1) {
          counter.miss()
          plain.miss()
        }
      else if ('prune' in each) {
        counter.prune(each.prune)
        plain.prune(each.prune)
      } else if ('forget' in each) {
        counter.forget(form(each.forget))
        plain.forget((value) => value === form(each.forget))
      } else if ('forgetUser' in each) {
        const mentions = createMentions([String(form(each.forgetUser))])
        counter.forgetMentions(mentions, 'path')
        plain.forget((value) => mentions.isIn(value))
      } else if (typeof form(0) === 'string') {
        const stored = JSON.parse(JSON.stringify(counter.toStored())) as StoredCounter
        counter.release()
        expect(memory.bytes).toBe(0)
        counter = new ValueCounter(memory)
        counter.merge(ValueCounter.fromStored(stored))
      }
    }
    expect(counter.toStored()).toEqual(plain.toStored())
    expect(memory.bytes).toBe(plain.bytes)
    counter.release()
    expect(memory.bytes).toBe(0)
  })
  fc.assert(law, { numRuns: 60 })
})
