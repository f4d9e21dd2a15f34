import { describe, expect, it } from 'vitest'
import { addKeyCounts, mergeSchema } from './merge-schema.ts'

describe('merge schema', () => {
  const merge = (model: Record<string, string>, ...versions: Record<string, 'string' | 'float64' | 'bool'>[]) =>
    mergeSchema(model, versions, 100).schema

  it('appends new keys after the known ones', () => {
    const merged = merge({ z: 'string' }, { a: 'bool', z: 'string' })
    expect(Object.entries(merged)).toEqual([
      ['z', 'string'],
      ['a', 'bool'],
    ])
  })

  it('appends a new type of a known key once', () => {
    const once = merge({ a: 'string' }, { a: 'float64' })
    expect(once).toEqual({ a: 'string,float64' })
    expect(merge(once, { a: 'float64' }, { a: 'string' })).toEqual(once)
  })

  it('removes nothing', () => {
    expect(merge({ a: 'string,bool', b: 'bool' }, {})).toEqual({ a: 'string,bool', b: 'bool' })
  })

  it('grows to the limit and counts the keys beyond it', () => {
    expect(
      mergeSchema(
        { a: 'bool' },
        [
          { a: 'string', b: 'bool' },
          { c: 'bool', d: 'bool' },
        ],
        2,
      ),
    ).toEqual({
      schema: { a: 'bool,string', b: 'bool' },
      leftOut: 2,
    })
  })
})

describe('key counts', () => {
  it('adds up, and counts the keys beyond the limit', () => {
    const counts = new Map([['a', 1]])
    expect(addKeyCounts(counts, { a: 'bool', b: 'bool', c: 'bool' }, 5, 2)).toBe(1)
    expect([...counts]).toEqual([
      ['a', 6],
      ['b', 5],
    ])
  })
})
