import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonErrorPlace } from './json-place.ts'

describe('the place of a mistake in JSON', () => {
  const cases: readonly (readonly [string, number, number])[] = [
    ['{"a": 1,\n "b": }', 2, 7],
    ['[1, 2,]', 1, 7],
    ['{"a" 1}', 1, 6],
    ['{"a": 1 "b": 2}', 1, 9],
    ['[\n  {\n    "a": tru\n  }\n]', 3, 10],
    ['{"a": "x', 1, 7],
    ['[1, 2', 1, 6],
    ['', 1, 1],
    ['{} {}', 1, 4],
    ["{'a': 1}", 1, 2],
    ['{"a": 01}', 1, 8],
  ]
  for (const [json, line, column] of cases) {
    it(`${JSON.stringify(json)} is ${line}:${column}`, () => expect(jsonErrorPlace(json)).toEqual({ line, column }))
  }

  it('is the one that the engine reports, if it reports one', () => {
    const broken = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom(',', '}', ']', '"', 'x', '', ':'))
      .map(([json, at, char]) => json.slice(0, at % json.length) + char + json.slice((at % json.length) + 1))
    fc.assert(
      fc.property(broken, (json) => {
        const told = positionOf(json)
        if (told === undefined) return
        // For an unterminated text or word, the place is its beginning.
        expect(json.slice(jsonErrorPlace(json).column - 1, told)).toMatch(/^(?:".*|[\w.+-]*)$/)
        expect(jsonErrorPlace(json).column - 1).toBeLessThanOrEqual(told)
      }),
      { numRuns: 300 },
    )
  })
})

function positionOf(json: string): number | undefined {
  try {
    JSON.parse(json)
    return undefined
  } catch (error) {
    const [, position] = /at position (\d+)/.exec(String(error)) ?? []
    return position === undefined ? undefined : Number(position)
  }
}
