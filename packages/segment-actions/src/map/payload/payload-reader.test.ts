import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { JsonObject, JsonValue } from '@sluice/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SegmentField } from '../../peer/segment-definition.ts'
import { createPayloadReader, type FieldsToJsonSchema, type ReadPayload, type SegmentFields } from './payload-reader.ts'

const require = createRequire(import.meta.url)
/** All three as Segment's engine has them. */
const { fieldsToJsonSchema } = require('@segment/actions-core') as { fieldsToJsonSchema: FieldsToJsonSchema }
const { validateSchema } = require('@segment/actions-core/schema-validation') as {
  validateSchema(payload: unknown, schema: object, options: object): boolean
}
const inside = dirname(require.resolve('@segment/actions-core'))
const { removeEmptyValues } = require(join(inside, 'remove-empty-values.js')) as {
  removeEmptyValues(payload: JsonValue, schema: object, isRoot: boolean): unknown
}

const names = fc.constantFrom('a', 'b', 'c', 'dotted name', 'd')
const texts = ['', 'a', 'x', '1', '-3.5', 'true', '1700000000000', '2024-03-05T10:20:30.000Z', '2024-13-05T10:20:30Z']
const more = [
  '2024-03-05',
  '2024/03/05 10:20',
  'ada@test.org',
  'https://a.test/b?c',
  '203.0.113.9',
  'soon',
  'null',
  '1e400',
]
const scalar = fc.oneof(
  fc.constantFrom(...texts, ...more),
  fc.constantFrom(0, 1, -2, 1.5, 1_700_000_000),
  fc.boolean(),
  fc.constant(null),
)
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))
const payload = fc.dictionary(names, value, { maxKeys: 5, noNullPrototype: true }) as fc.Arbitrary<JsonObject>

const condition = fc.record({
  fieldKey: fc.constantFrom('a', 'b', 'c', 'd.a'),
  operator: fc.constantFrom('is', 'is_not'),
  value: fc.constantFrom('a', '', 1, undefined),
})
const required = fc.oneof(
  { arbitrary: fc.constantFrom(undefined, false, true), weight: 6 },
  {
    arbitrary: fc.record({
      match: fc.constantFrom('all', 'any'),
      conditions: fc.array(condition, { minLength: 1, maxLength: 2 }),
    }),
    weight: 1,
  },
)
const types = ['string', 'text', 'number', 'integer', 'datetime', 'boolean', 'password', 'object'] as const
const formats = ['email', 'uri', 'uri-reference', 'ipv4', 'date', 'date-time', 'uuid', 'text', 'password']
const { fields } = fc.letrec<{ fields: SegmentFields; field: SegmentField }>((tie) => ({
  field: fc
    .record(
      {
        label: fc.constant('A field'),
        description: fc.constant('What it is.'),
        type: fc.constantFrom(...types),
        required,
        multiple: fc.boolean(),
        allowNull: fc.boolean(),
        additionalProperties: fc.boolean(),
        format: fc.constantFrom(...formats),
        minimum: fc.constantFrom(1, 2),
        maximum: fc.constantFrom(5, 30),
        choices: fc.constantFrom(
          ['a', 'x'],
          [{ label: 'A', value: 'a' }],
          [1, 1.5].map((each) => ({ value: each })),
        ),
        properties: fc.oneof({ maxDepth: 3 }, fc.constant({}), tie('fields')),
      },
      { requiredKeys: ['label', 'description', 'type'] },
    )
    .map((each) => {
      // Of these, one is enough, and more would make nearly every payload invalid.
      const { choices, format, ...rest } = each
      if (each.type === 'string' && each.label && format && !choices) return { ...rest, format }
      return choices && each.type !== 'object' ? { ...rest, choices } : rest
    }) as fc.Arbitrary<SegmentField>,
  fields: fc.dictionary(names, tie('field'), { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
}))

function theirs(made: SegmentFields, mapped: JsonObject, isBatch: boolean): unknown {
  const schema = fieldsToJsonSchema(made)
  const read = removeEmptyValues(structuredClone(mapped), schema, !isBatch)
  try {
    validateSchema(read, schema, { exempt: ['dynamicAuthSettings'] })
    return { payload: read }
  } catch (error) {
    return error instanceof Error && error.constructor.name === 'AggregateAjvError' ? 'invalid' : 'unusable'
  }
}

function frozen<T>(each: T): T {
  if (typeof each === 'object' && each !== null) {
    Object.values(each).forEach(frozen)
    Object.freeze(each)
  }
  return each
}

function read(made: SegmentFields, mapped: JsonValue | undefined, isBatch = false): ReadPayload {
  return createPayloadReader(made, fieldsToJsonSchema)(frozen(mapped), { isBatch })
}

const text: SegmentField = { type: 'string' }

describe('a payload reader', () => {
  it('makes the payload that Segment makes, and refuses the same ones', () => {
    const counts = { valid: 0, invalid: 0, unusable: 0 }
    fc.assert(
      fc.property(fields, fc.array(payload, { maxLength: 3 }), fc.boolean(), (made, payloads, isBatch) => {
        for (const mapped of payloads) {
          const want = theirs(made, mapped, isBatch)
          counts[want === 'invalid' || want === 'unusable' ? want : 'valid'] += 1
          if (want === 'unusable') return
          const got = read(made, mapped, isBatch)
          expect(got.ok ? { payload: got.payload } : 'invalid').toStrictEqual(want)
          if (!got.ok) expect(got.problems).not.toEqual([])
        }
      }),
      { numRuns: 300 },
    )
    // Nearly all of one kind would prove little.
    expect(counts.valid).toBeGreaterThan(60)
    expect(counts.invalid).toBeGreaterThan(60)
  })

  const cases: readonly { name: string; fields: SegmentFields; mapped: JsonValue; payload: JsonObject }[] = [
    { name: 'leaves out what is no field', fields: { a: text }, mapped: { a: 'x', b: 1 }, payload: { a: 'x' } },
    { name: 'leaves out null', fields: { a: text }, mapped: { a: null }, payload: {} },
    { name: 'leaves out empty text', fields: { a: text }, mapped: { a: '' }, payload: {} },
    {
      name: 'keeps null where it is allowed',
      fields: { a: { type: 'string', allowNull: true } },
      mapped: { a: null },
      payload: { a: null },
    },
    {
      name: 'keeps empty text inside objects',
      fields: { a: { type: 'object', properties: { b: text, c: { type: 'number' } } } },
      mapped: { a: { b: '', c: '' } },
      payload: { a: { b: '' } },
    },
    {
      name: 'converts values to the type of their field',
      fields: { a: text, b: { type: 'number' }, c: { type: 'boolean' } },
      mapped: { a: 7, b: '1.5', c: 'true' },
      payload: { a: '7', b: 1.5, c: true },
    },
    {
      name: 'compares no number with a limit that is beyond the range of JavaScript',
      fields: { a: { type: 'number', maximum: 5 } },
      mapped: { a: '1e400' },
      payload: { a: Number.POSITIVE_INFINITY },
    },
    {
      name: 'makes a list of a single value',
      fields: { a: { type: 'string', multiple: true } },
      mapped: { a: 'x' },
      payload: { a: ['x'] },
    },
    {
      name: 'keeps all members of an object that is not described',
      fields: { a: { type: 'object' } },
      mapped: { a: { b: { c: [1, null, ''] } } },
      payload: { a: { b: { c: [1, null, ''] } } },
    },
    {
      name: 'keeps dynamicAuthSettings, which is no field',
      fields: { a: text },
      mapped: { a: 'x', dynamicAuthSettings: { oauth: { access_token: 't' } } },
      payload: { a: 'x', dynamicAuthSettings: { oauth: { access_token: 't' } } },
    },
    {
      name: 'reads fields whose keys have blanks',
      fields: { 'first name': { type: 'string', required: true } },
      mapped: { 'first name': 'Ada' },
      payload: { 'first name': 'Ada' },
    },
    { name: 'reads anything for an action without fields', fields: {}, mapped: { a: [''] }, payload: { a: [''] } },
  ]
  for (const { name, fields: made, mapped, payload: want } of cases) {
    it(name, () => {
      expect(read(made, mapped)).toStrictEqual({ ok: true, payload: want })
    })
  }

  it('keeps empty text in a batch', () => {
    expect(read({ a: text }, { a: '' }, true)).toStrictEqual({ ok: true, payload: { a: '' } })
  })

  it('shares nothing with what was mapped, so that actions may modify it', () => {
    const mapped = frozen({ a: { b: [{ c: 1 }] } })
    const got = read({ a: { type: 'object', additionalProperties: true } }, mapped)
    const { a } = (got.ok ? got.payload : {}) as { a: { b: { c: number }[] } }
    a.b.push({ c: 2 })
    expect(mapped.a.b).toHaveLength(1)
  })

  it('gives no payload a prototype of the event', () => {
    const mapped = JSON.parse('{"__proto__":{"x":1},"a":{"__proto__":{"x":1},"b":[{"__proto__":{"x":1}}]}}')
    const got = read({ a: { type: 'object' } }, mapped)
    expect(got).toStrictEqual({ ok: true, payload: { a: { b: [{}] } } })
    const { a } = (got.ok ? got.payload : {}) as { a: { b: object[] } }
    for (const each of [got, a, a.b[0]]) expect(Object.getPrototypeOf(each)).toBe(Object.prototype)
  })

  it('names every field that is wrong', () => {
    const made: SegmentFields = {
      email: { type: 'string', format: 'email', required: true },
      user_id: { type: 'string', required: true },
      kind: { type: 'string', choices: ['a', 'b'] },
      items: { type: 'object', multiple: true, properties: { price: { type: 'number' } } },
    }
    const mapped = { email: 'no address', kind: 'c', items: [{ price: 1 }, { price: 'much' }] }
    expect(read(made, mapped)).toEqual({
      ok: false,
      problems: [
        { path: 'user_id', allowed: 'is required' },
        { path: 'email', allowed: 'must match format "email"' },
        { path: 'kind', allowed: 'must be one of a, b' },
        { path: 'items[1].price', allowed: 'must be number' },
      ],
    })
  })

  it('refuses what is no object, and what is nested too deeply', () => {
    for (const mapped of [undefined, null, 'text', [], [{}]]) {
      expect(read({ a: text }, mapped)).toMatchObject({
        ok: false,
        problems: [{ path: '', allowed: 'must be object' }],
      })
      expect(read({}, mapped)).toMatchObject({ ok: false, problems: [{ path: '', allowed: 'must be object' }] })
    }
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
    const got = createPayloadReader({ a: { type: 'object' } }, fieldsToJsonSchema)({ a: { b: deep } })
    expect(got).toMatchObject({ ok: false, problems: [{ allowed: 'is nested too deeply' }] })
  })

  it('throws at once for fields with a condition that Segment does not know', () => {
    const required = { conditions: [{ fieldKey: 'b', operator: 'is_about', value: 1 }] }
    expect(() => createPayloadReader({ a: { type: 'string', required } }, fieldsToJsonSchema)).toThrow('is_about')
  })
})
