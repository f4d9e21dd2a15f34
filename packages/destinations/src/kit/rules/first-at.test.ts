import { InvariantError, isJsonObject } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { firstAt } from './first-at.ts'

const event = { traits: { id: '', plan: 0 }, context: { traits: { id: 'u1', plan: 'pro' } } }

describe('firstAt', () => {
  it('finds the first truthy value', () => {
    expect(firstAt(['traits.id', 'traits.nothing.there', 'context.traits.id'])(event)).toBe('u1')
    expect(firstAt(['traits.id'])(event)).toBeUndefined()
  })

  it('finds the first value that satisfies the predicate', () => {
    expect(firstAt(['traits.plan', 'context.traits.plan'], (value) => typeof value === 'number')(event)).toBe(0)
    expect(firstAt(['traits.id', 'context.traits'], isJsonObject)(event)).toBe(event.context.traits)
  })

  it('refuses an invalid path when it is created', () => {
    expect(() => firstAt(['traits..id'])).toThrow(InvariantError)
  })
})
