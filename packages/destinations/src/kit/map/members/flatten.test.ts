import { describe, expect, it } from 'vitest'
import { flatten } from './flatten.ts'

describe('flatten', () => {
  it('separates members by dots and writes indexes of elements in brackets', () => {
    expect(flatten({ k1: 'v1', k2: { k3: 'c3', k4: { k5: 'c5' } }, list: [1, { a: null }, [true]] })).toEqual({
      k1: 'v1',
      'k2.k3': 'c3',
      'k2.k4.k5': 'c5',
      'list[0]': 1,
      'list[1].a': null,
      'list[2][0]': true,
    })
  })

  it('keeps empty lists and objects', () => {
    expect(flatten({ a: [], b: {}, c: { d: {} } })).toEqual({ a: [], b: {}, 'c.d': {} })
  })

  it('treats __proto__ as an ordinary member', () => {
    expect(Object.keys(flatten(JSON.parse('{"__proto__":{"a":1}}')))).toEqual(['__proto__.a'])
  })
})
