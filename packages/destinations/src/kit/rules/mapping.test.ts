import { InvariantError, type JsonObject } from '@sluice/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../convert/hash.ts'
import { oneOf } from '../convert/one-of.ts'
import { lower, trim } from '../convert/text.ts'
import { instrumentationError } from '../map/mapping-error.ts'
import { generic } from './generic-fields.ts'
import { compileRules, mapping } from './mapping.ts'
import type { Rule } from './rule.ts'
import { to } from './to.ts'

const event: JsonObject = deepFreeze({
  userId: 'u1',
  event: 'Seen',
  zero: 0,
  no: false,
  blank: '',
  nothing: null,
  traits: { email: ' A@B.test ', plan: 'pro', note: '', none: null, address: { city: 'Rome' } },
  properties: { products: [{ sku: 'a', price: '2' }, 7, { sku: '', price: 1 }], single: { sku: 's' } },
})
const settings: JsonObject = { key: 'k1', nested: { flag: true } }

const cases: { name: string; rules: Rule[]; want: unknown }[] = [
  { name: 'copies a value from a path to a path', rules: [to('a.b').from('traits.plan')], want: { a: { b: 'pro' } } },
  { name: 'sets 0 and false', rules: [to('a').from('zero'), to('b').from('no')], want: { a: 0, b: false } },
  { name: "drops '' and null", rules: [to('a').from('blank'), to('b').from('nothing')], want: {} },
  {
    name: "skips '' and null in a list of paths",
    rules: [to('a').from('blank', 'nothing', 'userId')],
    want: { a: 'u1' },
  },
  { name: 'uses the fallback for undefined and null', rules: [to('a').from('nothing').or(1)], want: { a: 1 } },
  { name: "uses no fallback for '' at a single path", rules: [to('a').from('blank').or(1)], want: {} },
  { name: "uses the fallback for '' in a list of paths", rules: [to('a').from(['blank']).or(1)], want: { a: 1 } },
  { name: 'does not convert the fallback', rules: [to('a').from('nothing').as(lower).or('X')], want: { a: 'X' } },
  { name: 'converts in order', rules: [to('a').from('traits.email').as(trim, lower)], want: { a: 'a@b.test' } },
  {
    name: 'drops a value when a converter returns undefined',
    rules: [
      to('a')
        .from('event')
        .as(oneOf({ x: 1 }), sha256),
    ],
    want: {},
  },
  {
    name: 'fails when a required value is missing',
    rules: [to('a').from('blank').required()],
    want: instrumentationError('Missing required value from "blank"'),
  },
  {
    name: 'names all paths of a required value',
    rules: [to('a').from(generic.groupId).required()],
    want: instrumentationError('Missing required value from ["groupId","traits.groupId"]'),
  },
  {
    name: 'sets values of settings, constants and computed values',
    rules: [
      to('a').setting('nested.flag'),
      to('b').value('c'),
      to('d').compute((source, { key }) => `${key} ${source['event']}`),
    ],
    want: { a: true, b: 'c', d: 'k1 Seen' },
  },
  {
    name: 'copies the members of an object, including null',
    rules: [to('t').rest('traits').without('address', 'email')],
    want: { t: { plan: 'pro', note: '', none: null } },
  },
  {
    name: 'excludes members that other rules read from the rest',
    rules: [to('mail').from(generic.email), to('city').from('traits.address.city'), to().rest('traits').unmapped()],
    want: { mail: ' A@B.test ', city: 'Rome', plan: 'pro', note: '', none: null },
  },
  {
    name: 'flattens the rest',
    rules: [to('t').rest('traits').without('note', 'none', 'email').flat()],
    want: { t: { plan: 'pro', 'address.city': 'Rome' } },
  },
  {
    name: 'copies the rest of the mapped object itself',
    rules: [to('id').from('userId'), to('others').rest().unmapped().without('traits', 'properties')],
    want: { id: 'u1', others: { event: 'Seen', zero: 0, no: false, blank: '', nothing: null } },
  },
  {
    name: 'sets no empty rest if the rule says so',
    rules: [
      to('a').rest('traits.address').without('city'),
      to('b').rest('traits.address').without('city').unlessEmpty(),
    ],
    want: { a: {} },
  },
  {
    name: 'adds to a rest; later rules win',
    rules: [to('t').rest('traits.address'), to('t.city').value('Oslo'), to('t.zip').value(1)],
    want: { t: { city: 'Oslo', zip: 1 } },
  },
  {
    name: 'writes into a copy of values of a rest, never into the event',
    rules: [to('t').rest('traits'), to('t.address.zip').value(1), to('t.plan.name').value('x')],
    want: {
      t: { email: ' A@B.test ', note: '', none: null, address: { city: 'Rome', zip: 1 }, plan: { name: 'x' } },
    },
  },
  {
    name: 'maps each object of a list',
    rules: [to('items').each('properties.products', [to('id').from('sku'), to('key').setting('key')])],
    want: { items: [{ id: 'a', key: 'k1' }, { key: 'k1' }] },
  },
  {
    name: 'treats a single object as a list of one',
    rules: [to('items').each('properties.single', [to('id').from('sku')])],
    want: { items: [{ id: 's' }] },
  },
  {
    name: 'fails with the first error in a list',
    rules: [to('items').each('properties.products', [to('id').from('sku').required()])],
    want: instrumentationError('Missing required value from "sku"'),
  },
  {
    name: 'applies a rule under its condition',
    rules: [
      to('a')
        .value(1)
        .when(({ userId }) => userId === 'u1'),
      to('a')
        .value(2)
        .when(({ userId }) => userId === 'u2'),
    ],
    want: { a: 1 },
  },
]

for (const codeGeneration of [true, false]) {
  describe(`rules compiled to ${codeGeneration ? 'generated code' : 'closures'}`, () => {
    for (const { name, rules, want } of cases) {
      it(name, () => expect(compileRules(rules, codeGeneration)(event, settings)).toStrictEqual(want))
    }
  })
}

describe('mapping', () => {
  it('exposes its rules', () => {
    const rules = [to('a').value(1)]
    expect(mapping(rules).rules).toBe(rules)
  })

  const contradictions: { name: string; rules: () => Rule[] }[] = [
    { name: 'two rules for one place', rules: () => [to('a').value(1), to('a').from('b')] },
    { name: 'a rule inside a value of the event', rules: () => [to('a').from('traits'), to('a.b').value(1)] },
    { name: 'a rest inside a value of the event', rules: () => [to('a').from('traits'), to('a').rest('traits')] },
    { name: 'a fallback that would never be set', rules: () => [to('a').from('b').or('')] },
    { name: 'a path into the prototype', rules: () => [to('__proto__.a').value(1)] },
    { name: 'an empty key', rules: () => [to('a..b').value(1)] },
    { name: 'nothing to read from', rules: () => [to('a').from()] },
  ]
  for (const { name, rules } of contradictions) {
    it(`refuses ${name}`, () => expect(() => mapping(rules())).toThrow(InvariantError))
  }

  it('treats __proto__ as an ordinary member', () => {
    const hostile = JSON.parse('{"traits":{"__proto__":{"a":1},"b":2}}')
    for (const codeGeneration of [true, false]) {
      const mapped = compileRules([to('t').rest('traits').without('b')], codeGeneration)(hostile, {}) as JsonObject
      expect(JSON.stringify(mapped)).toBe('{"t":{"__proto__":{"a":1}}}')
    }
  })

  it('gives the same result either way, and does not change its input', () => {
    fc.assert(
      fc.property(fc.array(ruleArbitrary, { maxLength: 8 }), objectArbitrary, (rules, source) => {
        const frozen = deepFreeze(source)
        const [generated, linked] = [true, false].map((way) => compileRules(rules, way)(frozen, settings))
        expect(generated).toStrictEqual(linked)
      }),
      { numRuns: 500 },
    )
  })
})

const keyArbitrary = fc.constantFrom('a', 'b', 'c', '0')
const pathArbitrary = fc.array(keyArbitrary, { minLength: 1, maxLength: 3 }).map((keys) => keys.join('.'))
const objectArbitrary = fc.dictionary(
  keyArbitrary,
  fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<unknown>('', null, 0, false, 'x', 7, '5'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(keyArbitrary, tie('value'), { maxKeys: 3 }),
    ),
  })).value,
) as fc.Arbitrary<JsonObject>

/** Rules that never contradict each other, since each sets a different place. */
const ruleArbitrary: fc.Arbitrary<Rule> = fc
  .tuple(fc.nat(1e9), fc.array(pathArbitrary, { minLength: 1, maxLength: 3 }), fc.nat(6), fc.boolean())
  .map(([place, paths, kind, flag]) => {
    const sources = flag ? paths : [paths[0] ?? 'a']
    if (kind === 0)
      return to('rest')
        .rest(...sources)
        .without('a')
    if (kind === 1)
      return flag
        ? to('rest.b')
            .rest(...sources)
            .flat()
        : to('rest')
            .rest(...sources)
            .unmapped()
            .unlessEmpty()
    if (kind === 2) return to(`p${place}`).each(sources[0] ?? 'a', [to('q').from('a', 'b').as(lower)])
    if (kind === 3) return to(`p${place}`).each(sources[0] ?? 'a', [to('q').from('c').required()])
    const rule = to(kind === 6 ? `rest.b.p${place}` : `p${place}.q`).from(...sources)
    if (kind === 4) return rule.as(oneOf({ x: '', 7: 0 }), lower)
    return kind === 5 ? rule.as(trim, sha256).or('f') : rule.or(false).when(({ a }) => a !== 0)
  })

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value)
    for (const member of Object.values(value)) deepFreeze(member)
  }
  return value
}
