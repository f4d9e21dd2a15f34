import type { JsonObject } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { flattenEvent } from './flatten-event.ts'

/** Parses text as a sender would write it, because only parsed objects can have a key named __proto__. */
const parsed = (text: string): JsonObject => JSON.parse(text)

describe('flatten event', () => {
  const cases: readonly { name: string; text: string; want: Record<string, string> }[] = [
    {
      name: 'joins nested keys by dots and names array elements by index',
      text: '{"a":{"b":{"c":"x"}},"list":["x",2,{"k":true}]}',
      want: { 'a.b.c': 'string', 'list.0': 'string', 'list.1': 'float64', 'list.2.k': 'bool' },
    },
    { name: 'gives whole numbers the type float64 too', text: '{"i":1,"f":1.5}', want: { i: 'float64', f: 'float64' } },
    {
      name: 'omits null, empty objects and empty arrays',
      text: '{"n":null,"o":{},"a":[],"d":{"e":[{}]}}',
      want: {},
    },
    { name: 'keeps empty keys', text: '{"":{"":1}}', want: { '.': 'float64' } },
    {
      name: 'lets the nested value win where a key with a dot has the same path',
      text: '{"a":{"b":1},"a.b":"x"}',
      want: { 'a.b': 'float64' },
    },
    { name: 'in either order', text: '{"a.b":"x","a":{"b":1}}', want: { 'a.b': 'float64' } },
    {
      name: 'replaces lone surrogates by U+FFFD',
      text: '{"\\ud800":1,"\\ud83d\\ude00":1}',
      want: { '\ufffd': 'float64', '😀': 'float64' },
    },
  ]
  for (const { name, text, want } of cases) {
    it(name, () => expect(flattenEvent(parsed(text))).toEqual(want))
  }

  it('returns the paths in byte order', () => {
    const event = { b: 1, '😀': 1, '\uffee': 1, a: { c: 1 }, 'a-': 1, B: 1 }
    expect(Object.keys(flattenEvent(event))).toEqual(['B', 'a-', 'a.c', 'b', '\uffee', '😀'])
  })

  it('treats __proto__ like any other key', () => {
    const schema = flattenEvent(parsed('{"__proto__":"x","constructor":{"prototype":1}}'))
    expect(Object.entries(schema)).toEqual([
      ['__proto__', 'string'],
      ['constructor.prototype', 'float64'],
    ])
  })

  it('leaves out a member that is undefined', () => {
    expect(flattenEvent({ a: undefined, b: 1 })).toEqual({ b: 'float64' })
  })

  it('walks an event nested a hundred thousand levels deep', () => {
    const text = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
    expect(Object.keys(flattenEvent(parsed(text)))).toEqual([Array(100_000).fill('a').join('.')])
  })

  it('does not change its input', () => {
    const event = Object.freeze({ a: Object.freeze({ b: 1 }), c: Object.freeze([1]) })
    expect(flattenEvent(event)).toEqual({ 'a.b': 'float64', 'c.0': 'float64' })
  })
})
