import { describe, expect, it } from 'vitest'
import { schemaLimit } from './schema-limit.ts'

describe('--schema-limit', () => {
  it('combines several limits', () => {
    expect(schemaLimit('versionsMax=50', schemaLimit('depthMax=5', {}))).toEqual({ depthMax: 5, versionsMax: 50 })
  })

  it('lists the known limits, and refuses values that are not numbers', () => {
    expect(() => schemaLimit('versions=5', {})).toThrow('expected one of: modelsMax, ')
    expect(() => schemaLimit('__proto__=5', {})).toThrow('expected one of: ')
    for (const value of ['depthMax', 'depthMax=', 'depthMax=0', 'depthMax=1.5', 'depthMax=x'])
      expect(() => schemaLimit(value, {})).toThrow('expected depthMax=NUMBER')
  })
})
