import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CountedValue } from '../shapes/counted-value.ts'
import { type StoredCounter, ValueCounter, type ValueMemory } from './value-counter.ts'

function counterOf(values: Iterable<CountedValue>, memory?: ValueMemory): ValueCounter {
  const counter = new ValueCounter(memory)
  for (const value of values) if (!counter.addKnown(value)) counter.addNew(value)
  return counter
}
const times = (count: number, value: CountedValue): CountedValue[] => Array<CountedValue>(count).fill(value)
const distinct = (count: number): string[] => Array.from({ length: count }, (_, i) => `v${i}`)
const asText = (counter: ValueCounter): ValueCounter =>
  ValueCounter.fromStored(JSON.parse(JSON.stringify(counter.toStored())) as StoredCounter)

describe('value counter', () => {
  it('returns the share of a value among the observations of its key, overstated by a hundredth', () => {
    expect(counterOf(['a']).frequent()).toEqual([{ value: 'a', frequency: 1 }])
    expect(counterOf([...times(4, 'a'), 'b']).frequent()).toEqual([
      { value: 'a', frequency: 0.81 },
      { value: 'b', frequency: 0.21000000000000002 },
    ])
  })

  it('lists a value seen once among 111, and none among 112', () => {
    expect(counterOf(distinct(111)).frequent()).toHaveLength(111)
    expect(counterOf(distinct(112)).frequent()).toEqual([])
  })

  it('writes values as String does', () => {
    const values = [14.99, true, 1_000_000, 1e21, 'x', 0]
    expect(
      counterOf(values)
        .frequent()
        .map(({ value }) => value),
    ).toEqual(['0', '1000000', '14.99', '1e+21', 'true', 'x'])
  })

  it('orders by frequency, then by code point', () => {
    const listed = counterOf(['b', '😀', '\uffee', 'a', 'b']).frequent()
    expect(listed.map(({ value }) => value)).toEqual(['b', 'a', '\uffee', '😀'])
  })

  it('prunes early entries like others, so that a key of unique values stays small', () => {
    expect(counterOf(distinct(5_000)).size).toBe(0)
    expect(counterOf(distinct(5_999)).size).toBe(999)
  })

  it('releases the memory it took', () => {
    const memory = { bytes: 0 }
    const counter = counterOf(distinct(5_500), memory)
    expect(memory.bytes).toBeGreaterThan(500 * 64)
    expect(memory.bytes).toBeLessThan(500 * 100)
    counter.forget('v5400')
    counter.prune(100)
    expect(counter.size).toBe(100)
    counter.release()
    expect(memory.bytes).toBe(0)
  })

  it('removes a value, and then counts it from zero', () => {
    const counter = counterOf([...times(5, 'a'), 'b'])
    expect([counter.forget('a'), counter.forget('unknown')]).toEqual([true, false])
    expect(counter.frequent().map(({ value }) => value)).toEqual(['b'])
    expect(counter.addKnown('a')).toBe(false)
  })

  it('allows for values that it could not hold', () => {
    const counter = counterOf(times(3, 'a'))
    counter.miss()
    expect(counter.observations).toBe(4)
    counter.addNew('late')
    expect(asText(counter).toStored()).toEqual([5, 1, ['a', 3, 0], ['late', 1, 1]])
  })

  /** A stream of a few frequent values among many rare ones. */
  const stream = fc
    .record({
      heavy: fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 6 }),
      light: fc.integer({ min: 0, max: 6_000 }),
      repeats: fc.integer({ min: 1, max: 3 }),
      seed: fc.integer(),
    })
    .map(({ heavy, light, repeats, seed }) => {
      const values = [
        ...heavy.flatMap((count, i) => times(count, `heavy${i}`)),
        ...Array.from({ length: light }, (_, i) => `light${Math.floor(i / repeats)}`),
      ]
      return shuffled(values, seed)
    })

  it('never counts too high, and at most n / 1000 too low, however it is merged', () => {
    const law = fc.property(stream, fc.array(fc.nat(6_000), { maxLength: 4 }), (values, cuts) => {
      const bounds = [0, ...cuts.filter((cut) => cut < values.length).sort((a, b) => a - b), values.length]
      const merged = new ValueCounter()
      for (const [i, start] of bounds.slice(0, -1).entries())
        merged.merge(asText(counterOf(values.slice(start, bounds[i + 1]))))
      for (const counter of [counterOf(values), merged]) {
        expect(counter.observations).toBe(values.length)
        const exact = countsOf(values)
        const [, , ...held] = counter.toStored()
        // One `expect` for all values of a run: one for each would take most of the time.
        const wrong = held.filter(([value, seen, missed]) => {
          const count = exact.get(value) ?? 0
          return !(seen <= count && seen + missed >= count && missed <= values.length / 1_000)
        })
        expect(wrong).toEqual([])
        const listed = new Set(counter.frequent().map(({ value }) => value))
        const wronglyListed = [...exact].filter(
          ([value, count]) =>
            (count >= values.length * 0.01 && !listed.has(value)) ||
            (count < values.length * 0.009 && listed.has(value)),
        )
        expect(wronglyListed).toEqual([])
      }
    })
    fc.assert(law, { numRuns: 60 })
  })
})

function countsOf(values: readonly CountedValue[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1)
  return counts
}

function shuffled(values: CountedValue[], seed: number): CountedValue[] {
  let state = seed >>> 0
  for (let i = values.length - 1; i > 0; i -= 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const other = state % (i + 1)
    const value = values[i] as CountedValue
    values[i] = values[other] as CountedValue
    values[other] = value
  }
  return values
}
