import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CountedValue } from '../shapes/counted-value.ts'
import { valueHash } from './value-hash.ts'
import { ValueTable } from './value-table.ts'

/** Texts of one hash: they differ only where a long text is not hashed. */
const crowded = (n: number): string => `${String(n).padStart(20, '0')}${'x'.repeat(180)}`

const value: fc.Arbitrary<CountedValue> = fc.oneof(
  fc.constantFrom<CountedValue>(
    '',
    '1',
    1,
    0,
    -0,
    true,
    'true',
    false,
    Number.NaN,
    0.1,
    2 ** 53,
    '__proto__',
    'é',
    'e\u0301',
  ),
  fc.nat(40),
  fc.nat(300).map((n) => `value ${n}`),
  fc.nat(90).map(crowded),
)

/** Value, seen and missed of each entry, in order. */
type Entries = readonly (readonly [CountedValue, number, number])[]

/** What the table promises, in the plainest form. */
class PlainTable {
  readonly counts = new Map<CountedValue, [seen: number, missed: number]>()

  add(added: CountedValue, seen: number, missed: number): void {
    const known = this.counts.get(added)
    if (known === undefined) this.counts.set(added, [seen, missed])
    else this.counts.set(added, [known[0] + seen, known[1] + missed])
  }

  retain(isKept: (kept: CountedValue) => boolean): void {
    for (const held of [...this.counts.keys()]) if (!isKept(held)) this.counts.delete(held)
  }

  get entries(): Entries {
    return [...this.counts].map(([held, [seen, missed]]) => [held, seen, missed])
  }
}

const entriesOf = (table: ValueTable): Entries =>
  [...table.places()].map((place) => [withoutSign(table.value(place)), table.seen(place), table.missed(place)])

/** A Map makes 0 of -0. As a text, as which values are stored, both are `0`. */
const withoutSign = (held: CountedValue): CountedValue => (held === 0 ? 0 : held)

function add(table: ValueTable, added: CountedValue, seen: number, missed: number): void {
  const place = table.find(added)
  if (place < 0) table.add(added, seen, missed)
  else table.count(place, seen, missed)
}

const hex = (n: number): string => (Math.imul(n + 1, 2_654_435_761) >>> 0).toString(16).padStart(8, '0')

describe('value table', () => {
  it('holds what a Map holds, in the same order, whatever is added and removed', () => {
    const step = fc.oneof(
      { weight: 30, arbitrary: fc.record({ add: fc.array(value, { maxLength: 60 }), missed: fc.nat(2) }) },
      { weight: 5, arbitrary: fc.record({ removeEvery: fc.integer({ min: 1, max: 7 }) }) },
      { weight: 1, arbitrary: fc.constant({ clear: true }) },
    )
    const law = fc.property(fc.array(step, { maxLength: 40 }), value, (steps, absent) => {
      const table = new ValueTable()
      const plain = new PlainTable()
      for (const each of steps) {
        if ('add' in each)
          for (const added of each.add) {
            add(table, added, 1, each.missed)
            plain.add(added, 1, each.missed)
          }
        else if ('removeEvery' in each) {
          const kept = new Set([...plain.counts.keys()].filter((_, i) => i % each.removeEvery > 0))
          table.retain((place) => kept.has(table.value(place)))
          plain.retain((held) => kept.has(held))
        } else {
          table.clear()
          plain.counts.clear()
        }
        expect(table.size).toBe(plain.counts.size)
        expect(table.find(absent) >= 0).toBe(plain.counts.has(absent))
      }
      expect(entriesOf(table)).toEqual(plain.entries)
      const notFound = plain.entries.filter(([held]) => !Object.is(withoutSign(table.value(table.find(held))), held))
      expect(notFound).toEqual([])
    })
    fc.assert(law, { numRuns: 300 })
  })

  it('keeps values of one hash apart', () => {
    expect(new Set([1, 2, 3].map((n) => valueHash(crowded(n)))).size).toBe(1)
    const table = new ValueTable()
    for (const n of [1, 2, 3, 1]) for (let i = 0; i < 40; i += 1) add(table, crowded(n * 100 + i), 1, 0)
    const twice = entriesOf(table).filter(([, seen]) => seen === 2)
    expect([table.size, twice.length]).toEqual([120, 40])
  })

  it('holds more values than an index has room for', () => {
    const table = new ValueTable()
    for (let n = 0; n < 80_000; n += 1) add(table, `value ${n % 40_000}`, 1, 0)
    expect(table.size).toBe(40_000)
    expect(entriesOf(table).every(([, seen]) => seen === 2)).toBe(true)
  })

  it('takes little time for values that somebody made to have one hash', () => {
    const texts = Array.from({ length: 30_000 }, (_, n) => crowded(n))
    const table = new ValueTable()
    expect(() => {
      for (const text of texts) add(table, text, 1, 0)
    }).toCostAtMost(3_000)
    expect(table.size).toBe(30_000)
  })

  it('hashes values of usual forms apart: identifiers, times, addresses of mail, numbers', () => {
    const forms: readonly ((n: number) => CountedValue)[] = [
      (n) => `user-${n}`,
      (n) => new Date(1_700_000_000_000 + n * 37).toISOString(),
      (n) => `omar.muller${n}@mail.test`,
      (n) => `${hex(n)}-f2a1-4c3b-9d4e-${hex(n * 7)}${hex(n).slice(4)}`,
      (n) => n,
      (n) => n / 100,
    ]
    for (const form of forms) {
      const hashes = new Set(Array.from({ length: 1_000 }, (_, n) => valueHash(form(n))))
      expect(hashes.size).toBeGreaterThan(900)
    }
  })
})
