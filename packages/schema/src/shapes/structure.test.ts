import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { JsonValue } from '@sluice/core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeStructures, type Structure, structureOf, toJsonSchema } from './structure.ts'

const limits = { depthMax: 10, propertiesMax: 1_000 }
// Else ajv reads `toString` and the like from the prototype of an object that does not have them.
const ajv = new Ajv2020({ allowUnionTypes: true, strictRequired: false, ownProperties: true })
const learn = (values: readonly JsonValue[], { depthMax, propertiesMax } = limits): Structure =>
  values
    .map((value) => structureOf(value, { depthMax, propertiesMax }))
    .reduce((a, b) => mergeStructures(a, b, propertiesMax), { kinds: 0 } as Structure)
const compile = (structure: Structure) => ajv.compile(toJsonSchema(structure, { title: 't' }))
const accepts = (structure: Structure, value: JsonValue): boolean => compile(structure)(value) === true
/** Compiling a schema takes most of the time, so it is done once for all values. */
const refused = (structure: Structure, values: readonly JsonValue[]): readonly JsonValue[] => {
  const validate = compile(structure)
  return values.filter((value) => validate(value) !== true)
}

const value = fc.jsonValue({ maxDepth: 4 }).map((any) => any as JsonValue)
const values = fc.array(value, { minLength: 1, maxLength: 8 })
/** Few keys, so that objects share some. */
const { record } = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, 1, 'x', true),
    fc.array(tie('any'), { maxLength: 3 }),
    tie('record'),
  ),
  record: fc.dictionary(fc.constantFrom('a', 'b', 'a.b', '__proto__', '1'), tie('any'), { maxKeys: 4 }),
})) as { record: fc.Arbitrary<JsonValue> }

describe('structure', () => {
  it('becomes a JSON Schema of what all values have in common', () => {
    const structure = learn([
      { price: 5, tags: ['new', 1], note: null },
      { price: 7, tags: [] },
    ])
    expect(toJsonSchema(structure, { title: 'Bought' })).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Bought',
      type: 'object',
      properties: {
        note: { type: 'null' },
        price: { type: 'number' },
        tags: { type: 'array', items: { type: ['string', 'number'] } },
      },
      required: ['price', 'tags'],
    })
    expect(accepts(structure, { price: 'five', tags: [] })).toBe(false)
    expect(accepts(structure, { price: 5 })).toBe(false)
  })

  it('accepts every value it was learnt from', () => {
    for (const samples of [values, fc.array(record, { minLength: 1, maxLength: 8 })]) {
      const law = fc.property(samples, (seen) => {
        const structure = learn(seen)
        expect(refused(structure, seen)).toEqual([])
      })
      fc.assert(law, { numRuns: 200, examples: [[[[{ toString: false }, {}]]]] })
    }
  })

  it('is learnt quickly from lists as long as an event can be', () => {
    const lists: readonly JsonValue[][] = [
      Array.from({ length: 20_000 }, (_, i) => ({ [`key-${i}`]: i })),
      Array.from({ length: 20_000 }, (_, i) => [{ [`key-${i}`]: i }]),
      Array.from({ length: 20_000 }, (_, i) => (i % 2 === 0 ? { same: i, [`key-${i}`]: i } : [i])),
    ]
    for (const list of lists) {
      // Copying what was learnt for each item takes half a minute.
      expect(() => expect(accepts(structureOf(list, limits), list)).toBe(true)).toCostAtMost(4_000)
    }
  })

  it('accepts them too when the limits of keys or levels were reached', () => {
    const law = fc.property(
      fc.array(record, { minLength: 1, maxLength: 8 }),
      fc.nat(3),
      fc.nat(3),
      (seen, depth, keys) => {
        const structure = learn(seen, { depthMax: depth, propertiesMax: keys })
        expect(refused(structure, seen)).toEqual([])
      },
    )
    fc.assert(law, { numRuns: 200 })
  })

  it('does not depend on the order of learning', () => {
    const schemaOf = (structure: Structure) => JSON.stringify(toJsonSchema(structure, { title: 't' }))
    const law = fc.property(record, record, record, (a, b, c) => {
      const [x, y, z] = [a, b, c].map((each) => structureOf(each, limits)) as [Structure, Structure, Structure]
      const merge = (left: Structure, right: Structure) => mergeStructures(left, right, limits.propertiesMax)
      expect(schemaOf(merge(x, y))).toBe(schemaOf(merge(y, x)))
      expect(schemaOf(merge(merge(x, y), z))).toBe(schemaOf(merge(x, merge(y, z))))
      expect(schemaOf(merge(x, x))).toBe(schemaOf(x))
    })
    fc.assert(law, { numRuns: 300 })
  })

  it('accepts the instances of the JSON Schema Test Suite, alone and all of a file together', () => {
    const folder = dirname(createRequire(import.meta.url).resolve('json-schema-test-suite/package.json'))
    let instances = 0
    for (const file of readdirSync(join(folder, 'tests/draft4'))) {
      if (!file.endsWith('.json')) continue
      const groups = JSON.parse(readFileSync(join(folder, 'tests/draft4', file), 'utf8')) as {
        tests: { data: JsonValue }[]
      }[]
      const seen = groups.flatMap(({ tests }) => tests.map(({ data }) => data))
      const together = learn(seen)
      for (const each of seen) {
        expect(accepts(learn([each]), each)).toBe(true)
        expect(accepts(together, each)).toBe(true)
      }
      instances += seen.length
    }
    expect(instances).toBeGreaterThan(250)
  })
})
