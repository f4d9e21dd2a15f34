import { describe, expect, it } from 'vitest'
import { nested, takeTraits } from './taken-traits.ts'

const traits = { plan: 'pro', address: { city: 'Bonn', zip: '53113' }, age: null, visits: 0 }

describe('takeTraits', () => {
  it('takes traits out by their paths and leaves the others', () => {
    const { taken, others } = takeTraits(traits, ['address.city', 'visits'])
    expect(taken).toEqual([
      ['address.city', 'Bonn'],
      ['visits', 0],
    ])
    expect(others).toEqual({ plan: 'pro', address: { zip: '53113' }, age: null })
  })

  it('leaves what is null, not there, or only inherited', () => {
    expect(takeTraits(traits, ['age', 'gone', 'plan.length', 'constructor', 'address.toString'])).toEqual({
      taken: [],
      others: traits,
    })
  })

  it('changes nothing', () => {
    const before = structuredClone(traits)
    takeTraits(traits, ['plan', 'address.zip'])
    expect(traits).toEqual(before)
  })
})

describe('nested', () => {
  it('puts traits back where they were', () => {
    const { taken } = takeTraits(traits, ['address.city', 'plan', 'address.zip'])
    expect(nested(taken)).toEqual({ address: { city: 'Bonn', zip: '53113' }, plan: 'pro' })
  })
})
