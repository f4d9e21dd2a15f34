import { describe, expect, it } from 'vitest'
import { modelChanges } from './model-changes.ts'

describe('changes of an event', () => {
  it('are new keys and further types, newest first; more items of a list are none', () => {
    const changes = modelChanges([
      { firstSeen: '2026-01-04T00:00:00Z', schema: { total: 'string', coupon: 'string', 'items.0': 'string' } },
      { firstSeen: '2026-01-03T00:00:00Z', schema: { total: 'float64', 'items.0': 'string', 'items.1': 'string' } },
      { firstSeen: '2026-01-02T00:00:00Z', schema: { total: 'float64', 'items.0': 'string' } },
    ])
    expect(changes.map(({ at, text }) => `${at.slice(8, 10)} ${text}`)).toEqual([
      '04 Key coupon, text',
      '04 total also came as text',
      '02 First seen, with 2 keys',
    ])
  })
})
