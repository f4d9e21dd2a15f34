import { describe, expect, it } from 'vitest'
import { planFit } from '../keys/plan-fit.ts'
import { withAllowedKey } from './allowed-key.ts'

const plan = {
  type: 'object',
  additionalProperties: false,
  properties: {
    total: { type: 'number' },
    products: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } } } },
  },
}

describe('a schema that allows a key', () => {
  it('has a key that was not planned, and everything else as before', () => {
    expect(withAllowedKey(plan, ['coupon'], 'text')).toEqual({
      ...plan,
      properties: { ...plan.properties, coupon: { type: 'string' } },
    })
  })

  it('has one more type for a key of another type, which then fits', () => {
    const row = { path: ['total'], type: 'text' as const, count: 3, otherTypes: [], sources: ['total'] }
    const allowed = withAllowedKey(plan, ['total'], 'text')
    expect(planFit(plan, row, 3)).toMatchObject({ kind: 'type' })
    expect(planFit(allowed, row, 3)).toEqual({ kind: 'fits' })
  })

  it('has a key of the items of a list', () => {
    expect(withAllowedKey(plan, ['products', 'price'], 'number')).toMatchObject({
      properties: { products: { items: { properties: { sku: { type: 'string' }, price: { type: 'number' } } } } },
    })
  })

  it('is none where other words say what is allowed, or the object of the key is not planned', () => {
    expect(withAllowedKey({ ...plan, anyOf: [{}] }, ['coupon'], 'text')).toBeUndefined()
    expect(withAllowedKey({ properties: { total: { type: 'number', enum: [1] } } }, ['total'], 'text')).toBeUndefined()
    expect(withAllowedKey(plan, ['coupon', 'code'], 'text')).toBeUndefined()
    expect(withAllowedKey(plan, ['total'], 'number')).toBeUndefined()
  })
})
