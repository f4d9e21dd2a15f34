import { createRequire } from 'node:module'
import type { JsonObject } from '@sluice/core'
import { createLinkedSchemaReader } from '@sluice/json-schema'
import { Ajv, type ErrorObject, type Options } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvDraft04 from 'ajv-draft-04'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { finished } from './finished.ts'
import { createPlanCompiler } from './plan-compiler.ts'
import { planPattern } from './plan-pattern.ts'
import type { PlanCheck, PlanProblem } from './plan-problem.ts'

const drafts = {
  'draft-04': 'http://json-schema.org/draft-04/schema#',
  'draft-06': 'http://json-schema.org/draft-06/schema#',
  'draft-07': 'http://json-schema.org/draft-07/schema#',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
} as const
type Draft = keyof typeof drafts

function ajvOf(draft: Draft): Ajv {
  const options: Options = {
    allErrors: true,
    strict: false,
    ownProperties: true,
    logger: false,
    code: { regExp: linearRegExp },
  }
  const created = (): Ajv => {
    if (draft === '2020-12') return new Ajv2020(options)
    if (draft === '2019-09') return new Ajv2019(options)
    return draft === 'draft-04' ? new ajvDraft04.default(options) : new Ajv(options)
  }
  const ajv = created()
  if (draft === 'draft-06')
    ajv.addMetaSchema(createRequire(import.meta.url)('ajv/dist/refs/json-schema-draft-06.json') as object)
  addFormats.default(ajv)
  return ajv
}

/** Compiles plans as Sluice does, without pauses. */
function reading(): (schema: JsonObject) => PlanCheck {
  const compile = createPlanCompiler()
  return (schema) => finished(compile(schema))
}

/** Compiles plans with ajv, which the own check is held to. */
function compiling(): (schema: JsonObject) => PlanCheck {
  const known = new Map<Draft, Ajv>()
  const draftOf = ({ $schema }: JsonObject): Draft =>
    (Object.keys(drafts) as Draft[]).find((draft) => drafts[draft] === $schema) ?? '2020-12'
  return (schema) => {
    const draft = draftOf(schema)
    const ajv = known.get(draft) ?? ajvOf(draft)
    known.set(draft, ajv)
    // A copy, because ajv adds the null of `nullable` to a list of types.
    const validate = ajv.compile(structuredClone(schema))
    return (event) => {
      try {
        return validate(event) ? [] : (validate.errors ?? []).map(toProblem)
      } catch (error) {
        // Keys such as `valueOf` in an event, and a few schemas, make ajv throw a TypeError where it compares or notes keys.
        if (!(error instanceof TypeError)) throw error
        return reading()(schema)(event)
      }
    }
  }
}

/** `code` is for validators that are written to files. */
const linearRegExp = Object.assign(
  // ajv identifies patterns by their text.
  (pattern: string) => ({ ...planPattern(pattern), toString: () => `/${pattern}/u` }),
  { code: 'linearRegExp' },
)

function toProblem({ keyword, instancePath, schemaPath, params, message = '' }: ErrorObject): PlanProblem {
  const member: unknown = params['additionalProperty'] ?? params['unevaluatedProperty']
  return {
    keyword,
    at: instancePath.split('/').slice(1).map(unescaped),
    keepsPlaces: /\/prefixItems\/|\/items\/\d/.test(schemaPath),
    message,
    ...(typeof member === 'string' ? { member } : {}),
  }
}

const unescaped = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~')

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
      const problems = check(event)
      if (problems[0]?.keyword === 'steps') return 'endless'
      return problems.map(({ keyword, at, member, message, keepsPlaces }) => {
        // The missing member is in the text.
        return [keyword, at, keyword === 'required' ? undefined : member, message, keepsPlaces]
      })
    } catch (error) {
      return error instanceof RangeError ? 'endless' : `thrown: ${String(error)}`
    }
  })
}

const names = fc.constantFrom('a', 'b', 'c', 'x-1', 'properties')
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
function schemasOf(draft: Draft) {
  const isDraft4 = draft === 'draft-04'
  const flag = fc.boolean()
  return fc.letrec<{ schema: unknown; list: unknown[]; map: object }>((tie) => ({
    schema: fc.oneof(
      { depthSize: 'small', withCrossShrink: true, maxDepth: 4 },
      { weight: 1, arbitrary: isDraft4 ? fc.constantFrom({}, { not: {} }) : flag },
      { weight: 2, arbitrary: fc.record({ type: types }) },
      {
        weight: 8,
        arbitrary: someOf({
          type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
          nullable: fc.constant(true),
          enum: fc.array(scalar, { minLength: 1, maxLength: 3 }),
          const: value,
          maximum: few,
          exclusiveMaximum: isDraft4 ? flag : few,
          ...(isDraft4 ? {} : { exclusiveMinimum: few }),
          multipleOf: fc.constantFrom(0.5, 2, 3),
          minLength: few,
          maxLength: few,
          pattern: patterns,
          format: fc.constantFrom('email', 'int32', 'made-up'),
          minItems: few,
          maxItems: few,
          uniqueItems: fc.boolean(),
          ...(draft === '2020-12'
            ? { prefixItems: tie('list') }
            : { additionalItems: isDraft4 ? flag : tie('schema') }),
          items: draft === '2020-12' ? tie('schema') : fc.oneof(tie('schema'), tie('list')),
          contains: tie('schema'),
          minContains: few,
          maxContains: few,
          unevaluatedItems: tie('schema'),
          minProperties: few,
          maxProperties: few,
          required: fc.uniqueArray(names, { minLength: isDraft4 ? 1 : 0, maxLength: 2 }),
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
}

function plansOf(draft: Draft): fc.Arbitrary<JsonObject> {
  const { schema } = schemasOf(draft)
  const idWord = draft === 'draft-04' ? 'id' : '$id'
  return fc
    .record({ schema, one: schema, two: schema, other: schema })
    .map(({ schema, one, two, other }): JsonObject => {
      const named = (each: unknown, more: object): object => ({ ...Object(each), ...more })
      return {
        ...(draft === '2020-12' ? {} : { $schema: drafts[draft] }),
        ...Object(schema),
        $defs: { one, two: named(two, { [idWord]: 'https://x.test/two' }), other: named(other, { $anchor: 'other' }) },
      }
    })
}

const isUnusable = (found: readonly unknown[]): boolean =>
  found.every((each) => each === 'endless' || String(each).startsWith('Error: '))

/** A schema that does not end for an event with nothing in it cannot be used. */
const hasEndless = (found: readonly unknown[]): boolean =>
  found.some((each) => each === 'endless' || each === outOfStack)

/** Differences that random schemas have shown. */
const foundBefore: [JsonObject, unknown[]][] = [
  [{ $schema: drafts['draft-07'], anyOf: [{ nullable: true }, true] }, ['']],
  [{ type: ['boolean'], nullable: true }, ['x', null, true]],
  [{ $ref: 'https://x.test/two', $defs: { two: { $ref: '#', $id: 'https://x.test/two' } } }, ['']],
  [{ $ref: 'https://x.test/two', $defs: { two: { $ref: '#/$defs/one', $id: 'https://x.test/two' } } }, ['']],
]

describe('the check of plans that compiles no code', () => {
  it.each(Object.keys(drafts) as Draft[])(
    'finds the same as the compiled one, in the same order, for random schemas of %s',
    (draft) => {
      fc.assert(
        fc.property(plansOf(draft), fc.array(value, { minLength: 1, maxLength: 8 }), (schema, events) => {
          const found = outcome(reading, schema, events)
          const expected = outcome(compiling, schema, events)
          if (found === outOfStack) expect([expected, outcome(compiling, schema, [{}])].flat()).toSatisfy(hasEndless)
          else if (expected !== outOfStack) expect(found).toEqual(expected)
          // The other one names the `$ref`, or notices it with the first event.
          else expect([found].flat()).toSatisfy(isUnusable)
        }),
        {
          numRuns: 60,
          examples: foundBefore.filter(([{ $schema }]) => ($schema ?? drafts['2020-12']) === drafts[draft]),
        },
      )
    },
  )

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
    const check = reading()({ uniqueItems: true })
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

describe('a plan that would take long', () => {
  const doubling = (times: number): JsonObject => ({
    $defs: Object.fromEntries([
      ['a0', { required: ['x'] }],
      ...Array.from({ length: times }, (_, n) => [
        `a${n + 1}`,
        { allOf: [{ $ref: `#/$defs/a${n}` }, { $ref: `#/$defs/a${n}` }] },
      ]),
    ]),
    $ref: `#/$defs/a${times}`,
  })

  it('is refused when its references multiply, wherever that is', () => {
    expect(reading()(doubling(3))({}).length).toBe(8)
    for (const times of [17, 40, 200]) {
      expect(() => reading()(doubling(times))).toThrow('its references multiply')
      const deeper = { ...doubling(times), $ref: undefined, properties: { properties: { $ref: `#/$defs/a${times}` } } }
      expect(() => reading()(deeper as unknown as JsonObject)).toThrow('its references multiply')
    }
  })

  it('is read in linear time, however long the chains of its references are', () => {
    const names = Array.from({ length: 3_000 }, (_, n) => n)
    const schema = {
      $defs: Object.fromEntries(
        names.map((n) => [`c${n}`, n === 2_999 ? { type: 'string' } : { $ref: `#/$defs/c${n + 1}` }]),
      ),
      properties: Object.fromEntries(names.map((n) => [`p${n}`, { $ref: '#/$defs/c0' }])),
    }
    const read = createLinkedSchemaReader({ compilePattern: planPattern })
    // 15 s when each reference follows the whole chain.
    expect(() => {
      expect(finished(read(schema))({ p7: 1 }).map(({ message }) => message)).toEqual(['must be string'])
    }).toCostAtMost(2_500)
    expect(() => reading()(schema)).toThrow('it is too large: preparing it takes more than 80000 steps')
  })

  it('leaves an event unchecked, as a violation, when the members of the event multiply the references', () => {
    const twice = { properties: { n: { allOf: [{ $ref: '#' }, { $ref: '#' }] } } }
    const nested = (depth: number): JsonObject => (depth === 0 ? {} : { n: nested(depth - 1) })
    const check = reading()(twice)
    expect(check(nested(5))).toEqual([])
    expect(check(nested(30))).toMatchObject([{ keyword: 'steps', at: [] }])
  })

  it('finds equal items among many in little time', () => {
    const check = reading()({ properties: { l: { uniqueItems: true } } })
    const list = Array.from({ length: 20_000 }, (_, n) => ({ n, deep: [{ n }] }))
    expect(() => expect(check({ l: list })).toEqual([])).toCostAtMost(2_000)
    const twins = [...list.slice(0, 100), { deep: [{ n: 7 }], n: 7 }]
    expect(check({ l: twins }).map(({ message }) => message)).toEqual([
      'must NOT have duplicate items (items ## 7 and 100 are identical)',
    ])
  })

  it('counts what is in large constants, and the names of members', () => {
    const numbers = Array.from({ length: 5_000 }, () => 1)
    const again = (schema: JsonObject): JsonObject => ({
      $defs: { c: schema },
      properties: { l: { allOf: Array.from({ length: 500 }, () => ({ $ref: '#/$defs/c' })) } },
    })
    const named = Object.fromEntries(numbers.map((_, n) => [`name ${n}`, n]))
    for (const [schema, l] of [
      [{ const: numbers }, [...numbers]],
      [{ enum: [named] }, { ...named, last: 1 }],
      [{ uniqueItems: true }, [{ [`n${'x'.repeat(500_000)}`]: 1 }]],
      [{ items: { type: 'string' }, uniqueItems: true }, ['x'.repeat(500_000)]],
    ] as const)
      expect(reading()(again(schema as JsonObject))({ l } as JsonObject)).toMatchObject([{ keyword: 'steps' }])
    expect(reading()({ properties: { l: { const: numbers } } })({ l: [...numbers] })).toEqual([])
    expect(reading()({ properties: { l: { const: named } } })({ l: { ...named } })).toEqual([])
  })

  it('counts keys for patterns, constants and long texts', () => {
    const keys = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`k${n}`, 1]))
    const patterns = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`^x${n}`, { type: 'string' }]))
    const texts = { allOf: Array.from({ length: 300 }, (_, n) => ({ properties: { t: { pattern: `^${n}` } } })) }
    for (const [schema, event] of [
      [{ patternProperties: patterns }, keys],
      [{ additionalProperties: { enum: Array.from({ length: 200 }, (_, n) => n + 2) } }, keys],
      [texts, { t: 'x'.repeat(100_000) }],
    ] as const)
      expect(reading()(schema as JsonObject)(event)).toMatchObject([{ keyword: 'steps' }])
  })
})
