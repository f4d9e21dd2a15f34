// biome-ignore-all lint/suspicious/noThenProperty: `then` is what the directive calls it
import { createRequire } from 'node:module'
import type { Event, JsonObject, JsonValue } from '@sluice/core'
import { isMappingError } from '@sluice/destinations/kit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileMapping } from './compile-mapping.ts'

const require = createRequire(import.meta.url)
/** Both as Segment's engine has them. */
const { transform } = require('@segment/actions-core/mapping-kit') as {
  transform(mapping: JsonObject, data: JsonValue): JsonValue
}
const { evaluateLiquid } = require('@segment/actions-core/mapping-kit/liquid-directive') as {
  evaluateLiquid(template: string, data: unknown): unknown
}

const texts = [
  '',
  'a',
  'B',
  '0',
  '7',
  'ab',
  'é',
  '漢字',
  '[1]',
  '{"a":[1,null]}',
  '{{a}}',
  '}{{{b}}} {{a',
  '$.a',
  'x.y',
  ' ',
]
const scalar = fc.oneof(fc.constantFrom(...texts), fc.constantFrom(0, 1, -2.5, 1e21), fc.boolean(), fc.constant(null))
const keys = fc.constantFrom('a', 'b', 'c', '0', 'é', 'length', 'a.b', '')
const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(keys, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))
const event = fc.dictionary(keys, value, { maxKeys: 4, noNullPrototype: true }) as fc.Arbitrary<Event>

const step = fc.constantFrom('a', 'b', 'c', '0', 'é', 'length', 'missing', '')
const path = fc.oneof(
  fc.array(step, { maxLength: 4 }).map((steps) => `$.${steps.join('.')}`),
  fc.array(step, { maxLength: 2 }).map((steps) => steps.join('.')),
  fc.constantFrom(
    '$',
    '$.',
    '.',
    '$.a[0].b',
    'a[0]',
    "a['b']",
    '$.b["c"][0]',
    'a[b]',
    'a]',
    'b$.c',
    '$.a[0]]',
    "$.'a'.b",
  ),
)
const template = fc
  .array(
    fc.oneof(
      fc.constantFrom(...texts, '{', '}', '{{', '}}', '{{}}', '{{{}}}', '{{ a }}', '{{{a.b}}}', '{{{{a}}}}', '{{a}}}'),
      path.map((each) => `{{${each}}}`),
    ),
    { maxLength: 4 },
  )
  .map((parts) => parts.join(''))

type Node = JsonValue
const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined })
/** Without members that are undefined: mappings are JSON. */
const options = (members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<JsonObject> =>
  fc.record(members).map((object) => JSON.parse(JSON.stringify(object)) as JsonObject)

/** @param wrong how often something is wrong, of 100. */
function mappings(wrong: number): fc.Arbitrary<JsonObject> {
  const rarely = <T, U>(usual: fc.Arbitrary<T>, other: fc.Arbitrary<U>) =>
    fc.oneof({ arbitrary: usual, weight: 100 - wrong }, { arbitrary: other, weight: wrong })
  const { root } = fc.letrec<{ node: Node; directive: JsonObject; root: JsonObject; text: Node; operand: Node }>(
    (tie) => {
      const node = rarely(tie('node'), scalar)
      const text = rarely(tie('text'), tie('node'))
      const given = rarely(tie('node'), optional(tie('node')))
      const short = rarely(
        fc.constantFrom('a', '.', '{', 'é', '$&', ' ', '['),
        fc.constantFrom('', 'longer than ten', 7),
      )
      const flag = rarely(optional(fc.boolean()), fc.constantFrom(1, null))
      return {
        text: fc.oneof({ maxDepth: 3 }, path, template, tie('directive')),
        node: fc.oneof(
          { maxDepth: 4, withCrossShrink: true },
          scalar,
          path.map((each) => ({ '@path': each })),
          tie('directive'),
          tie('directive'),
          fc.array(node, { maxLength: 3 }),
          fc.dictionary(keys, node, { maxKeys: 3, noNullPrototype: true }),
        ),
        directive: fc.oneof(
          { maxDepth: 4, withCrossShrink: true },
          path.map((each) => ({ '@path': each })),
          template.map((each) => ({ '@template': each })),
          text.map((each) => ({ '@path': each })),
          text.map((each) => ({ '@template': each })),
          options({ exists: given, then: optional(node), else: optional(node) }).map((each) => ({ '@if': each })),
          options({ blank: given, then: optional(node), else: optional(node) }).map((each) => ({ '@if': each })),
          options({
            operator: rarely(fc.constantFrom('lower', 'upper'), fc.constantFrom('title', '', undefined)),
            value: optional(text),
          }).map((each) => ({ '@case': each })),
          options({
            pattern: short,
            replacement: optional(short),
            pattern2: optional(short),
            replacement2: optional(short),
            ignorecase: flag,
            global: flag,
            value: text,
          }).map((each) => ({ '@replace': each })),
          fc.tuple(rarely(path, text), rarely(node, tie('directive'))).map((each) => ({ '@arrayPath': each as Node })),
          fc.tuple(path, fc.dictionary(keys, tie('directive'), { maxKeys: 3, noNullPrototype: true })).map((each) => ({
            '@arrayPath': each as Node,
          })),
          node.map((each) => ({ '@literal': each })),
          node.map((each) => ({ '@excludeWhenNull': each })),
          options({
            separator: rarely(fc.constantFrom('.', '_', '--'), fc.constantFrom('', 1, undefined)),
            value: given,
            omitArrays: optional(fc.boolean()),
          }).map((each) => ({ '@flatten': each })),
          options({
            mode: rarely(fc.constantFrom('encode', 'decode'), fc.constantFrom('Encode', '', undefined)),
            value: given,
          }).map((each) => ({ '@json': each })),
          options({
            direction: rarely(fc.constantFrom('left', 'right'), fc.constantFrom('LEFT', '', undefined)),
            objects: rarely(fc.array(tie('operand'), { maxLength: 3 }), scalar),
          }).map((each) => ({ '@merge': each })),
          options({ apply: rarely(tie('operand'), tie('root')), mapping: tie('operand') }).map((each) => ({
            '@transform': each,
          })),
          fc
            .constantFrom('{{ a }}', '{% if a %}{{ b.c }}{% endif %}', '', 'plain', '{{ a')
            .map((each) => ({ '@liquid': each })),
          fc
            .tuple(fc.constantFrom('@bogus', '@IF', '@'), node)
            .map(([name, each]) => (wrong > 0 ? { [name]: each } : { '@literal': each })),
        ),
        operand: fc.oneof(
          { maxDepth: 3 },
          fc.dictionary(keys, tie('directive'), { maxKeys: 3, noNullPrototype: true }),
          tie('directive'),
        ),
        root: fc.oneof(
          { arbitrary: fc.dictionary(keys, tie('node'), { maxKeys: 5, noNullPrototype: true }), weight: 5 },
          { arbitrary: tie('directive'), weight: 1 },
          {
            arbitrary: fc
              .tuple(tie('directive'), fc.dictionary(keys, tie('node'), { maxKeys: 3, noNullPrototype: true }))
              .map(([directive, members]) => ({ __segment_internal_directive: directive, ...members })),
            weight: 1,
          },
        ),
      }
    },
  )
  return root as fc.Arbitrary<JsonObject>
}

function theirs(mapping: JsonObject, data: JsonObject): { readonly payload: JsonValue } | 'throws' {
  try {
    // It writes into mappings.
    return { payload: transform(structuredClone(mapping), data) }
  } catch {
    return 'throws'
  }
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(frozen)
    Object.freeze(value)
  }
  return value
}

/** Returns undefined for a mapping with problems. */
function ours(mapping: JsonObject, data: Event): { readonly payload: unknown } | 'throws' | undefined {
  const compiled = compileMapping(frozen(mapping), { evaluateLiquid })
  if (!compiled.ok) return undefined
  const payload = compiled.map(frozen(data))
  return isMappingError(payload) ? 'throws' : { payload }
}

const map = (mapping: JsonObject, data: Event = {}): unknown => {
  const compiled = compileMapping(frozen(mapping), { evaluateLiquid })
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems))
  return compiled.map(data)
}

const deepText = '['.repeat(50_000) + ']'.repeat(50_000)

describe('a compiled mapping', () => {
  it('makes the payload that Segment makes, and fails for the same events', () => {
    fc.assert(
      fc.property(mappings(0), event, (mapping, data) => {
        const result = ours(mapping, data)
        if (result !== undefined) expect(result).toStrictEqual(theirs(mapping, data))
      }),
      { numRuns: 4_000 },
    )
  })

  it('has a problem or fails wherever Segment throws, and else makes the same payload, for mappings with mistakes', () => {
    fc.assert(
      fc.property(mappings(15), event, (mapping, data) => {
        const result = ours(mapping, data)
        if (result !== undefined) expect(result).toStrictEqual(theirs(mapping, data))
      }),
      { numRuns: 4_000 },
    )
  })

  const data = {
    type: 'track',
    userId: 'u1',
    properties: {
      total: 12.5,
      name: ' Boot ',
      tags: [],
      list: [[null]],
      products: [{ sku: 'a', price: 1 }, 'b', null],
    },
  }
  const cases: readonly { name: string; mapping: JsonObject; payload: unknown }[] = [
    { name: 'a path', mapping: { id: { '@path': '$.userId' } }, payload: { id: 'u1' } },
    { name: 'a path to nothing', mapping: { id: { '@path': '$.no.thing' }, fixed: 1 }, payload: { fixed: 1 } },
    { name: 'the whole event', mapping: { all: { '@path': '$.' } }, payload: { all: data } },
    { name: 'an item of a list', mapping: { sku: { '@path': '$.properties.products[0].sku' } }, payload: { sku: 'a' } },
    { name: 'a path that is no text', mapping: { id: { '@path': { '@path': '$.userId.x' } } }, payload: 'fails' },
    {
      name: 'a template',
      mapping: { id: { '@template': '{{userId}}-{{ type }}{{no}}' } },
      payload: { id: 'u1-track' },
    },
    {
      name: 'a template for what is not there',
      mapping: { x: { '@transform': { apply: { '@path': '$.no' }, mapping: { y: { '@template': '{{.}}' } } } } },
      payload: { x: { y: '[object Object]' } },
    },
    {
      name: 'a list whose items are mapped, whatever they are',
      mapping: { items: { '@arrayPath': ['$.properties.products', { id: { '@path': 'sku' }, kind: 'shoe' }] } },
      payload: { items: [{ id: 'a', kind: 'shoe' }, { kind: 'shoe' }, { id: null, kind: 'shoe' }] },
    },
    {
      name: 'the condition blank for a list that is empty',
      mapping: { x: { '@if': { blank: { '@path': '$.properties.list' }, then: 'full', else: 'blank' } } },
      payload: { x: 'blank' },
    },
    {
      name: 'a replaced dot of a number',
      mapping: { x: { '@replace': { pattern: '.', replacement: ',', value: { '@path': '$.properties.total' } } } },
      payload: { x: '12,5' },
    },
    {
      name: 'a merge in which a missing value removes one',
      mapping: { x: { '@merge': { direction: 'right', objects: [{ a: 1, b: 2 }, { a: { '@path': '$.no' } }] } } },
      payload: { x: { b: 2 } },
    },
    {
      name: 'a flattened object in which a missing value removes one of the same key',
      mapping: { x: { '@flatten': { separator: '.', value: { 'a.b': 1, c: 2, a: { b: { '@path': '$.no' } } } } } },
      payload: { x: { c: 2 } },
    },
    {
      name: 'a root directive',
      mapping: {
        __segment_internal_directive: { '@transform': { apply: { a: { '@path': '$.userId' } } } },
        id: { '@path': '$.a' },
      },
      payload: { id: 'u1' },
    },
    {
      name: 'a transform of items that are no objects',
      mapping: {
        x: { '@arrayPath': ['$.properties.products', { '@transform': { apply: {}, mapping: {} } }] },
      },
      payload: 'fails',
    },
    { name: 'a broken Liquid template', mapping: { x: { '@liquid': '{% for a in b %}' } }, payload: 'fails' },
    {
      name: 'JSON text of more levels than events may have, which stays a text',
      mapping: { x: { '@json': { mode: 'decode', value: deepText } } },
      payload: { x: deepText },
    },
  ]
  for (const { name, mapping, payload } of cases) {
    it(`resolves ${name}`, () => {
      const mapped = map(mapping, data)
      if (payload === 'fails') expect(isMappingError(mapped)).toBe(true)
      else expect(mapped).toStrictEqual(payload)
    })
  }

  it('works again after an event that failed', () => {
    const compiled = compileMapping({ id: { '@path': { '@path': '$.path' } } })
    const mapped = compiled.ok ? [{}, { path: '$.a', a: 1 }].map((each) => compiled.map(each)) : []
    expect(mapped.map(isMappingError)).toEqual([true, false])
    expect(mapped[1]).toEqual({ id: 1 })
  })

  it('reaches no prototype', () => {
    const mapping = JSON.parse('{"__proto__":{"a":1},"x":{"__proto__":{"b":1},"@merge":0}}') as JsonObject
    expect(compileMapping(mapping).ok).toBe(false)
    for (const path of ['$.__proto__', '$.constructor', '$.properties.tags.map', '$.userId.at', '$.__proto__.a'])
      expect(map({ x: { '@path': path }, y: { '@path': { '@literal': path } } }, data)).toStrictEqual({})
    const { x } = map({ x: JSON.parse('{"__proto__":{"a":1},"b":2}') }) as { x: object }
    expect(Object.getPrototypeOf(x)).toBe(Object.prototype)
    expect(x).toStrictEqual({ b: 2 })
    const sent = JSON.parse('{"properties":{"__proto__":{"a":1},"b":2}}')
    const objects = [{ '@path': '$.properties' }]
    const merged = map({ x: { '@merge': { direction: 'left', objects } } }, sent) as { x: object }
    expect(Object.getPrototypeOf(merged.x)).toBe(Object.prototype)
    expect(merged).toStrictEqual({ x: { b: 2 } })
    const flat = map({ x: { '@flatten': { separator: '.', value: JSON.parse('{"__proto__":1}') } } }) as { x: object }
    expect(flat).toStrictEqual({ x: {} })
  })
})

describe('mistakes in a mapping', () => {
  const cases: readonly { name: string; mapping: JsonObject; path: string; allowed: string }[] = [
    {
      name: 'an unknown directive',
      mapping: { a: [{ '@bogus': 1 }] },
      path: 'a[0].@bogus',
      allowed: 'a known directive',
    },
    { name: 'two directives', mapping: { a: { '@path': '$', '@if': {} } }, path: 'a.@if', allowed: 'no other key' },
    { name: 'a key beside a directive', mapping: { a: { '@path': '$', b: 1 } }, path: 'a.b', allowed: 'no other key' },
    {
      name: 'a path that is a number',
      mapping: { a: { '@path': 7 } },
      path: 'a.@path',
      allowed: 'a text or a directive',
    },
    { name: 'a condition without a test', mapping: { a: { '@if': { then: 1 } } }, path: 'a.@if', allowed: '"exists"' },
    {
      name: 'a branch that no event takes',
      mapping: { a: { '@if': { exists: 1, then: 2, else: { b: { '@path': 1 } } } } },
      path: 'a.@if.else.b.@path',
      allowed: 'a text',
    },
    {
      name: 'a wrong directive in an option that is not used',
      mapping: { a: { '@json': { mode: 'encode', value: 1, other: { '@path': 7 } } } },
      path: 'a.@json.other.@path',
      allowed: 'a text',
    },
    {
      name: 'a wrong mapping that the members of a root directive replace',
      mapping: { __segment_internal_directive: { '@transform': { apply: {}, mapping: { '@path': 7 } } } },
      path: '__segment_internal_directive.mapping.@path',
      allowed: 'a text',
    },
    {
      name: 'a long pattern',
      mapping: { a: { '@replace': { pattern: '12345678901', value: 'b' } } },
      path: 'a.@replace.pattern',
      allowed: '1 to 10',
    },
    {
      name: 'a second replacement that is long',
      mapping: { a: { '@replace': { pattern: 'b', pattern2: 'c', replacement2: '12345678901', value: 'b' } } },
      path: 'a.@replace.replacement2',
      allowed: 'at most 10',
    },
    {
      name: 'another case',
      mapping: { a: { '@case': { operator: 'title', value: 'b' } } },
      path: 'a.@case.operator',
      allowed: '"lower"',
    },
    { name: 'a list that is none', mapping: { a: { '@arrayPath': '$.b' } }, path: 'a.@arrayPath', allowed: 'a list' },
    {
      name: 'an empty separator',
      mapping: { a: { '@flatten': { separator: '', value: 1 } } },
      path: 'a.@flatten.separator',
      allowed: 'a text',
    },
    {
      name: 'another mode',
      mapping: { a: { '@json': { mode: 'yaml', value: 1 } } },
      path: 'a.@json.mode',
      allowed: '"encode"',
    },
    {
      name: 'objects that are none',
      mapping: { a: { '@merge': { direction: 'left', objects: [1] } } },
      path: 'a.@merge.objects[0]',
      allowed: 'an object',
    },
    {
      name: 'half of a transform',
      mapping: { a: { '@transform': { apply: {} } } },
      path: 'a.@transform.mapping',
      allowed: 'an object',
    },
    {
      name: 'Liquid where there is none',
      mapping: { a: { '@liquid': '{{ b }}' } },
      path: 'a.@liquid',
      allowed: 'unavailable',
    },
    {
      name: 'a root directive that is none',
      mapping: { __segment_internal_directive: 'a' },
      path: '__segment_internal_directive',
      allowed: 'one directive',
    },
  ]
  for (const { name, mapping, path, allowed } of cases) {
    it(`are found: ${name}`, () => {
      const compiled = compileMapping(mapping)
      expect(compiled).toMatchObject({ ok: false, problems: [{ path, allowed: expect.stringContaining(allowed) }] })
    })
  }

  it('are found when a mapping is too large or too deep', () => {
    const nested = (depth: number): JsonValue => (depth === 0 ? 1 : { a: nested(depth - 1) })
    expect(compileMapping({ a: nested(31) }).ok).toBe(true)
    expect(compileMapping({ a: nested(32) })).toMatchObject({ ok: false, problems: [{ allowed: 'at most 32 levels' }] })
    const wide = (size: number): JsonObject => ({ a: Array.from({ length: size }, () => 1) })
    expect(compileMapping(wide(9_998)).ok).toBe(true)
    expect(compileMapping(wide(50_000))).toMatchObject({ ok: false, problems: [{ allowed: 'at most 10,000 nodes' }] })
  })

  it('are shown cut, and at most 50 of them', () => {
    const compiled = compileMapping({ a: Array.from({ length: 99 }, () => ({ '@path': ['$'] })) })
    expect(compiled.ok ? [] : compiled.problems).toHaveLength(50)
    const long = compileMapping({ a: { '@case': { operator: 'x'.repeat(1_000) } } })
    expect(long.ok ? [] : long.problems.map(({ value }) => String(value).length)).toEqual([200])
  })
})
