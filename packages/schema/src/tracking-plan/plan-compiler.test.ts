import type { JsonObject } from '@sluice/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPlanCompiler as compiling } from './plan-compiler.node.ts'
import { createPlanCompiler as reading } from './plan-compiler.portable.ts'

/** ajv runs out of stack while it compiles references to themselves, and some that lead nowhere. */
const outOfStack = 'out of stack'

/** What a check finds in events, or why the schema cannot be used. */
function outcome(createCompiler: typeof compiling, schema: JsonObject, events: readonly unknown[]): unknown {
  let check: ReturnType<ReturnType<typeof compiling>>
  try {
    check = createCompiler()(schema)
  } catch (error) {
    return error instanceof RangeError ? outOfStack : String(error)
  }
  return events.map((event) => {
    try {
      return check(event).map(({ keyword, at, member, message, keepsPlaces }) => {
        // The missing member is in the text.
        return [keyword, at, keyword === 'required' ? undefined : member, message, keepsPlaces]
      })
    } catch (error) {
      return error instanceof RangeError ? 'endless' : `thrown: ${String(error)}`
    }
  })
}

const names = fc.constantFrom('a', 'b', 'c', 'x-1', 'properties', 'valueOf')
const scalar = fc.oneof(
  fc.constantFrom<unknown>('', 'a', 'ab', 'xyz', 'a@b.test', '\u{1f600}'),
  fc.constantFrom<unknown>(null, true, false, 0, 1, 2, 3, -1, 2.5, 1e21),
)
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(names, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value

/** Chooses a few members: a schema with many demands fits nothing. */
function someOf(members: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<object> {
  const entries = Object.entries(members).map(([key, arbitrary]) => arbitrary.map((each) => [key, each] as const))
  return fc.array(fc.oneof(...entries), { maxLength: 4 }).map(Object.fromEntries)
}

const types = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object')
const few = fc.integer({ min: 0, max: 3 })
const patterns = fc.constantFrom('^a', '^x-', 'b$', '.')
const schemas = fc.letrec<{ schema: unknown; list: unknown[]; map: object }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true, maxDepth: 4 },
    { weight: 1, arbitrary: fc.boolean() },
    { weight: 2, arbitrary: fc.record({ type: types }) },
    {
      weight: 8,
      arbitrary: someOf({
        type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
        nullable: fc.constant(true),
        enum: fc.array(scalar, { minLength: 1, maxLength: 3 }),
        const: value,
        maximum: few,
        exclusiveMinimum: few,
        multipleOf: fc.constantFrom(0.5, 2, 3),
        minLength: few,
        maxLength: few,
        pattern: patterns,
        format: fc.constantFrom('email', 'made-up'),
        minItems: few,
        maxItems: few,
        uniqueItems: fc.boolean(),
        prefixItems: tie('list'),
        items: tie('schema'),
        contains: tie('schema'),
        minContains: few,
        maxContains: few,
        unevaluatedItems: tie('schema'),
        minProperties: few,
        maxProperties: few,
        required: fc.uniqueArray(names, { maxLength: 2 }),
        properties: tie('map'),
        patternProperties: fc.dictionary(patterns, tie('schema'), { maxKeys: 2 }),
        additionalProperties: tie('schema'),
        propertyNames: tie('schema'),
        dependentRequired: fc.dictionary(names, fc.uniqueArray(names, { maxLength: 2 }), { maxKeys: 2 }),
        dependentSchemas: tie('map'),
        dependencies: tie('map'),
        unevaluatedProperties: tie('schema'),
        allOf: tie('list'),
        anyOf: tie('list'),
        oneOf: tie('list'),
        not: tie('schema'),
        if: tie('schema'),
        // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema
        then: tie('schema'),
        else: tie('schema'),
        $ref: fc.constantFrom('#', '#/$defs/one', '#/$defs/two', '#other', 'https://x.test/two', '#/$defs/none'),
        $comment: fc.constant('for people'),
        made: fc.constant('up'),
      }),
    },
  ),
  list: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
  map: fc.dictionary(names, tie('schema'), { maxKeys: 3 }),
}))

const plans = fc
  .record({ schema: schemas.schema, one: schemas.schema, two: schemas.schema, other: schemas.schema })
  .map(({ schema, one, two, other }): JsonObject => {
    const named = (each: unknown, more: object): object => ({ ...Object(each), ...more })
    return {
      ...Object(schema),
      $defs: { one, two: named(two, { $id: 'https://x.test/two' }), other: named(other, { $anchor: 'other' }) },
    }
  })

const isUnusable = (found: readonly unknown[]): boolean =>
  found.every((each) => each === 'endless' || String(each).startsWith('Error: '))

/** Differences that random schemas have shown. */
const foundBefore: [JsonObject, unknown[]][] = [
  [{ type: ['boolean'], nullable: true }, ['x', null, true]],
  [{ $ref: 'https://x.test/two', $defs: { two: { $ref: '#', $id: 'https://x.test/two' } } }, ['']],
  [{ $ref: 'https://x.test/two', $defs: { two: { $ref: '#/$defs/one', $id: 'https://x.test/two' } } }, ['']],
]

describe('the check of plans that compiles no code', () => {
  it('finds the same as the compiled one, in the same order, for random schemas and events', () => {
    fc.assert(
      fc.property(plans, fc.array(value, { minLength: 1, maxLength: 8 }), (schema, events) => {
        const found = outcome(reading, schema, events)
        const expected = outcome(compiling, schema, events)
        if (expected !== outOfStack) expect(found).toEqual(expected)
        // The other one names the `$ref`, or notices it with the first event.
        else expect([found].flat()).toSatisfy(isUnusable)
      }),
      { numRuns: 150, examples: foundBefore },
    )
  })

  it('leaves the schema as it is', () => {
    const schema = { type: ['boolean'], nullable: true }
    for (const createCompiler of [compiling, reading]) createCompiler()(schema)
    expect(schema).toEqual({ type: ['boolean'], nullable: true })
  })

  const tree = {
    $id: 'https://x.test/tree',
    $dynamicAnchor: 'node',
    type: 'object',
    properties: { children: { type: 'array', items: { $dynamicRef: '#node' } }, n: { type: 'number' } },
  }
  const leaf = { n: 'x', children: [{ n: 1 }, { n: 'y', more: true, children: [{ more: 1 }] }] }
  const cases: Readonly<Record<string, { schema: JsonObject; events: readonly unknown[] }>> = {
    'a schema that extends a recursive one': {
      schema: {
        $id: 'https://x.test/strict',
        $dynamicAnchor: 'node',
        $ref: 'tree',
        unevaluatedProperties: false,
        $defs: { tree },
      },
      events: [leaf, { n: 1, children: [] }],
    },
    'references in a circle': {
      schema: {
        properties: { a: { $ref: '#' }, 'b/c~': { $ref: '#/$defs/x%20y' } },
        $defs: { 'x y': { minProperties: 1, additionalProperties: { $ref: '#/properties/a' } } },
      },
      events: [{ a: { a: { 'b/c~': {} } } }, { 'b/c~': { z: { 'b/c~': 5 } } }],
    },
    'a schema of another draft': { schema: { $schema: 'http://json-schema.org/draft-07/schema#' }, events: [] },
    'the schema of schemas, named': {
      schema: { $schema: 'https://json-schema.org/draft/2020-12/schema' },
      events: [1],
    },
    'words with values of the wrong type': {
      schema: { properties: { a: { type: 'strin', required: 'a', minLength: -1 }, b: { items: [{}] }, c: 5 } },
      events: [],
    },
    'a reference that leads nowhere': { schema: { properties: { a: { $ref: '#/$defs/none' } } }, events: [] },
    'an anchor that two have': {
      schema: { $defs: { a: { $anchor: 'same', type: 'null' }, b: { $anchor: 'same' } } },
      events: [],
    },
    'a pattern that no linear-time engine knows': { schema: { pattern: '^(?!x)' }, events: [] },
    'names of what every object has': {
      schema: { required: ['toString'], properties: { constructor: { type: 'string' } }, additionalProperties: false },
      events: [{}, { toString: 1 }, JSON.parse('{"__proto__": 1}')],
    },
    'a pattern of keys after a choice that does not fit': {
      schema: {
        anyOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }, { required: ['b'] }],
        patternProperties: { '^x': { type: 'number' } },
      },
      events: [{ b: 1, x: 1 }, { a: '', x: '' }, { x: 1 }],
    },
    'keys that every object has, in lists of unique items': {
      schema: { uniqueItems: true, items: { const: { toString: 1 } } },
      events: [[{ valueOf: 1 }, { valueOf: 1 }], [{ toString: 1 }, { toString: 1 }], [{ toString: 1 }]],
    },
    'the word id of older drafts': { schema: { properties: { a: { id: 'x' } } }, events: [] },
    'nullable without a type': { schema: { nullable: true }, events: [] },
  }
  it.each(Object.entries(cases))('finds the same as the compiled one for %s', (_, { schema, events }) => {
    expect(outcome(reading, schema, events)).toEqual(outcome(compiling, schema, events))
  })

  it('has an answer where the compiled one throws', () => {
    const check = compiling()({ uniqueItems: true })
    expect(check([{ valueOf: 1 }, { valueOf: 2 }])).toEqual([])
    expect(check([{ valueOf: 1 }, { valueOf: 1 }]).map(({ keyword }) => keyword)).toEqual(['uniqueItems'])
  })

  it('lets the schemas of a plan refer to each other, and refuses two with one address', () => {
    const text = { $id: 'https://x.test/text', type: 'string' }
    const texts = { type: 'array', items: { $ref: 'https://x.test/text' } }
    for (const createCompiler of [compiling, reading]) {
      const compile = createCompiler()
      compile(text)
      expect(compile(texts)(['a', 1]).map(({ at, message }) => [at, message])).toEqual([[['1'], 'must be string']])
      expect(() => compile({ ...text })).toThrow('schema with key or id "https://x.test/text" already exists')
    }
  })
})
