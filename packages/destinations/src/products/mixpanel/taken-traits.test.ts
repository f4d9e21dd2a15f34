import { describe, expect, it } from 'vitest'
import { nested, takeTraits } from './taken-traits.ts'

const traits = { plan: 'pro', address: { city: 'Bonn', zip: '53113' }, age: null, visits: 0 }

describe('takeTraits', () => {
  it('takes traits by their paths and keeps the others', () => {
    const { taken, others } = takeTraits(traits, ['address.city', 'visits'])
    expect(taken).toEqual([
      ['address.city', 'Bonn'],
      ['visits', 0],
    ])
    expect(others).toEqual({ plan: 'pro', address: { zip: '53113' }, age: null })
  })

  it('ignores null, missing and inherited members', () => {
    expect(takeTraits(traits, ['age', 'gone', 'plan.length', 'constructor', 'address.toString'])).toEqual({
      taken: [],
      others: traits,
    })
  })

  it('takes a trait once, with the first path that contains it', () => {
    expect(takeTraits(traits, ['address', 'address.city', 'address'])).toEqual({
      taken: [['address', traits.address]],
      others: { plan: 'pro', age: null, visits: 0 },
    })
  })

  it('does not change its input', () => {
    const before = structuredClone(traits)
    takeTraits(traits, ['plan', 'address.zip'])
    expect(traits).toEqual(before)
  })
})

describe('nested', () => {
  it('nests traits under their paths', () => {
    const { taken } = takeTraits(traits, ['address.city', 'plan', 'address.zip'])
    expect(nested(taken)).toEqual({ address: { city: 'Bonn', zip: '53113' }, plan: 'pro' })
  })
})
