import { describe, expect, it } from 'vitest'
import { schemaLimit } from './schema-limits.ts'

describe('--schema-limit', () => {
  it('adds up what is given', () => {
    expect(schemaLimit('versionsMax=50', schemaLimit('depthMax=5', {}))).toEqual({ depthMax: 5, versionsMax: 50 })
  })

  it('names the limits there are, and refuses what is no number', () => {
    expect(() => schemaLimit('versions=5', {})).toThrow('there are: modelsMax, ')
    expect(() => schemaLimit('__proto__=5', {})).toThrow('there are: ')
    for (const value of ['depthMax', 'depthMax=', 'depthMax=0', 'depthMax=1.5', 'depthMax=x'])
      expect(() => schemaLimit(value, {})).toThrow('expected depthMax=NUMBER')
  })
})
