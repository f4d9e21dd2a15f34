import type { JsonValue } from '@sluice/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffJson } from './diff.ts'
import { matches } from './matches.ts'

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>
const text = ({ hunks }: ReturnType<typeof diffJson>): string =>
  hunks.map(({ path, lines }) => [`@@ ${path}`, ...lines.map((line) => line.mark + line.text)].join('\n')).join('\n')

/** Returns a value with its keys in reverse order at every level. */
function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => reversed(item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, item]) => [key, reversed(item ?? null)]),
  )
}

describe('the difference of two values', () => {
  it('is empty for equal ones, in any order of keys', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(diffJson(value, reversed(value))).toEqual({ paths: [], hunks: [], linesLeftOut: 0 })
      }),
    )
  })

  it('is not empty for different ones, in either order', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        const isSame = JSON.stringify(reversed(a)) === JSON.stringify(reversed(b)) || matches(a, b)
        expect([diffJson(a, b).paths.length === 0, diffJson(b, a).paths.length === 0]).toEqual([isSame, isSame])
        if (!isSame) expect(text(diffJson(a, b))).toMatch(/^[-+]/m)
      }),
    )
  })

  it('names a leaf that changed by its path, and shows it before and after', () => {
    const keys = fc.array(fc.oneof(fc.string({ maxLength: 5 }), fc.nat(3)), { maxLength: 5 })
    fc.assert(
      fc.property(keys, (path) => {
        const wrap = (leaf: JsonValue): JsonValue =>
          path.reduceRight<JsonValue>(
            (inner, key) =>
              typeof key === 'number' ? [...Array(key).fill('x'), inner, 'y'] : { a: 1, [`k${key}`]: inner },
            leaf,
          )
        const want = path
          .map((key) => {
            if (typeof key === 'number') return `[${key}]`
            return /^[\p{L}\p{N}_$]*$/u.test(key) ? `.k${key}` : `[${JSON.stringify(`k${key}`)}]`
          })
          .join('')
        const diff = diffJson(wrap('before'), wrap('after'))
        expect(diff.paths).toEqual([want === '' ? '(all)' : want])
        expect(text(diff)).toMatch(/^-.*"before"[\s\S]*^\+.*"after"/m)
      }),
    )
  })

  it('of a list with missing entries shows only these', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.nat(), { maxLength: 30 }),
        fc.array(fc.boolean(), { maxLength: 30 }),
        (all, keep) => {
          const kept = all.filter((_, i) => keep[i] ?? true)
          expect(diffJson(all, kept).paths).toHaveLength(all.length - kept.length)
          expect(diffJson(kept, all).paths).toHaveLength(all.length - kept.length)
        },
      ),
    )
  })

  it('shows changed lines with context, in the order of the expected value', () => {
    const expected = [{ type: 'track', a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, gone: true }]
    const actual = [{ h: 8, g: 7, f: 6, e: 5, d: 4, c: 3, b: 2, a: 0, type: 'track', own: null }]
    expect(text(diffJson(expected, actual))).toBe(`@@ [0].a
 [
   {
     "type": "track",
-    "a": 1,
+    "a": 0,
     "b": 2,
     "c": 3,
     "d": 4,
@@ [0].gone
     "f": 6,
     "g": 7,
     "h": 8,
-    "gone": true,
+    "own": null
   }
 ]`)
  })

  it('cuts long texts where they begin to differ, and long differences', () => {
    const long = 'x'.repeat(1_000)
    expect(text(diffJson([`${long}a${long}`], [`${long}b${long}`]))).toMatch(
      /^-.*…x{40}ax+… \(2001 characters\)"\n\+.*…x{40}bx+…/m,
    )
    const many = diffJson(
      Array.from({ length: 500 }, (_, i) => i),
      Array.from({ length: 500 }, (_, i) => -1 - i),
    )
    const shown = many.hunks.flatMap(({ lines }) => lines).filter(({ mark }) => mark !== ' ').length
    expect([many.paths.length, shown + many.linesLeftOut]).toEqual([500, 1_000])
    expect(shown).toBeLessThan(210)
  })
})

describe('a placeholder', () => {
  const cases: readonly (readonly [string, JsonValue, JsonValue])[] = [
    ['value', null, undefined as unknown as JsonValue],
    ['string', 'a', 1],
    ['number', 1.5, '1'],
    ['boolean', false, 0],
    ['object', {}, []],
    ['list', [1], {}],
    ['uuid', '6ba7b810-9dad-11d1-80b4-00c04fd430c8', '6ba7b810'],
    ['timestamp', '2026-01-01T00:00:00.000Z', '2026-01-01'],
  ]
  for (const [kind, fits, fitsNot] of cases)
    it(`{"$any": "${kind}"} stands for ${JSON.stringify(fits)} and not for ${JSON.stringify(fitsNot) ?? 'nothing'}`, () => {
      expect(matches({ a: { $any: kind } }, { a: fits })).toBe(true)
      expect(matches({ a: { $any: kind } }, { a: fitsNot })).toBe(false)
    })
  it('of an unknown kind matches nothing, even if every object inherits a member of that name', () => {
    for (const kind of ['constructor', 'toString', 'text']) expect(matches({ $any: kind }, 'a')).toBe(false)
  })
})
