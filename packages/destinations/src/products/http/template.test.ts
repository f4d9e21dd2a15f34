import { describe, expect, it } from 'vitest'
import { configurationError, isMappingError } from '../../kit/index.ts'
import { createTemplate } from './template.ts'

const event = Object.freeze({
  userId: 'u1',
  no: false,
  nothing: null,
  traits: Object.freeze({ 'first name': 'Ada', tags: Object.freeze(['a', 'b']) }),
  orders: Object.freeze([
    { id: 1, lines: [{ sku: 'x' }, { sku: 'y' }] },
    { id: 2, lines: [{ sku: 'z' }] },
  ]),
})

const cases: { name: string; entries: { from: string; to: string }[]; want: unknown }[] = [
  { name: 'a path to a path', entries: [{ from: '$.userId', to: '$.user.id' }], want: { user: { id: 'u1' } } },
  { name: 'keys in quotes', entries: [{ from: "$.traits['first name']", to: "$.'a b'" }], want: { 'a b': 'Ada' } },
  { name: 'false', entries: [{ from: '$.no', to: '$.no' }], want: { no: false } },
  {
    name: 'constants',
    entries: [
      { from: "'a.b'", to: 'text' },
      { from: '2', to: 'number' },
      { from: 'true', to: 'yes' },
      { from: 'plain word', to: 'word' },
    ],
    want: { text: 'a.b', number: 2, yes: true, word: 'plain word' },
  },
  { name: 'a fallback', entries: [{ from: "$.nothing || $.none || 'x'", to: 'a' }], want: { a: 'x' } },
  { name: 'nothing for a missing value', entries: [{ from: '$.none', to: '$.a.b' }], want: {} },
  { name: 'one element', entries: [{ from: '$.traits.tags[1]', to: '$.list[0]' }], want: { list: ['b'] } },
  { name: 'elements as a list', entries: [{ from: '$.orders[*].id', to: '$.ids' }], want: { ids: [1, 2] } },
  {
    name: 'elements of elements',
    entries: [
      { from: '$.orders[*].lines[*].sku', to: '$.all[*].items[*].name' },
      { from: '$.orders[*].id', to: '$.all[*].no' },
    ],
    want: {
      all: [
        { items: [{ name: 'x' }, { name: 'y' }], no: 1 },
        { items: [{ name: 'z' }], no: 2 },
      ],
    },
  },
  {
    name: 'into a copy of a value of the event, never into the original',
    entries: [
      { from: '$.traits', to: '$.user' },
      { from: '$.userId', to: '$.user.id' },
    ],
    want: { user: { 'first name': 'Ada', tags: ['a', 'b'], id: 'u1' } },
  },
  { name: 'nothing for an empty entry', entries: [{ from: '', to: '' }], want: {} },
]

describe('templates of the HTTP destination write', () => {
  for (const { name, entries, want } of cases) {
    it(name, () => {
      const template = createTemplate(entries)
      if (isMappingError(template)) throw new Error(template.message)
      expect(template(event)).toStrictEqual(want)
    })
  }
})

describe('templates of the HTTP destination refuse', () => {
  const refused = ['process.env||$.userId', 'process.env', '$.a[?(@.b)]', '$..a', 'f()', '{a}', "$['__proto__']", "'a"]
  for (const from of refused) {
    it(`to read ${from}`, () =>
      expect(createTemplate([{ from, to: 'a' }])).toMatchObject({ errorType: 'configuration' }))
  }
  for (const to of ['$.__proto__.a', '__proto__', '$', '$[0]', '$.a b']) {
    it(`to write to ${to}`, () => {
      const want = configurationError(`Error in custom mappings: '${to}' is not a valid target`)
      expect(createTemplate([{ from: '$.a', to }])).toEqual(want)
    })
  }
})
