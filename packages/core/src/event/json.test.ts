import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isSameJson } from './json.ts'

it('compares JSON values as isDeepStrictEqual of Node does', () => {
  const few = fc.jsonValue({ maxDepth: 2, stringUnit: fc.constantFrom('a', 'b'), noUnicodeString: true } as object)
  const json = fc.oneof(
    few,
    fc.array(fc.constantFrom(null, 0, 1, '', 'a', true)),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), fc.constantFrom(null, 0, 1)),
  )
  fc.assert(
    fc.property(json, json, (a, b) => {
      const [first, second] = [JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b))]
      expect(isSameJson(first, second)).toBe(isDeepStrictEqual(first, second))
      expect(isSameJson(first, JSON.parse(JSON.stringify(a)))).toBe(true)
    }),
  )
})
