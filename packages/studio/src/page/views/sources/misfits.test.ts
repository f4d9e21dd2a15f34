import { describe, expect, it } from 'vitest'
import { misfitsOf } from './misfits.ts'

const planned = (violations: Readonly<Record<string, number>>) => ({
  type: 'track',
  event: 'Order',
  schema: {},
  violations,
})

describe('events that do not fit a tracking plan', () => {
  it('are none where every event fits', () => {
    expect(misfitsOf({ events: [planned({})], unplannedEvents: 0 })).toBe(0)
  })

  it('are those of all planned events and all ways, and those that are not planned', () => {
    const events = [planned({ 'Datatype-Mismatch': 3, 'Required-Missing': 2 }), planned({ 'Datatype-Mismatch': 1 })]
    expect(misfitsOf({ events, unplannedEvents: 4 })).toBe(10)
  })
})
