import { describe, expect, it } from 'vitest'
import { mergeSchema } from './merge-schema.ts'

describe('merge schema', () => {
  it('appends new keys behind the known ones', () => {
    const merged = mergeSchema({ z: 'string' }, { a: 'bool', z: 'string' })
    expect(Object.entries(merged)).toEqual([
      ['z', 'string'],
      ['a', 'bool'],
    ])
  })

  it('appends a new type of a known key once', () => {
    const once = mergeSchema({ a: 'string' }, { a: 'float64' })
    expect(once).toEqual({ a: 'string,float64' })
    expect(mergeSchema(mergeSchema(once, { a: 'float64' }), { a: 'string' })).toEqual(once)
  })

  it('takes nothing out', () => {
    expect(mergeSchema({ a: 'string,bool', b: 'bool' }, {})).toEqual({ a: 'string,bool', b: 'bool' })
  })
})
