import { describe, expect, it } from 'vitest'
import { namedKeys } from './named-keys.ts'

const keys = ['event', 'userId', 'properties.total', 'properties.currency', 'context.traits.email']

describe('the keys that settings name', () => {
  it('are whole paths, also as Segment writes them', () => {
    expect(namedKeys({ amount: { '@path': '$.properties.total' }, to: 'context.traits.email' }, keys)).toEqual([
      'properties.total',
      'context.traits.email',
    ])
  })

  it('are those of the rows of a mapping, without the object that holds them', () => {
    const settings = {
      mapping: [
        { from: 'total', to: 'amount' },
        { from: 'email', to: 'mail' },
      ],
      list: ['userId'],
    }
    expect(namedKeys(settings, keys)).toEqual(['userId', 'properties.total', 'context.traits.email'])
  })

  it('are no other texts that look like a key', () => {
    expect(namedKeys({ currency: 'currency', event: 'event', nested: { total: 'total' } }, keys)).toEqual([])
  })
})
