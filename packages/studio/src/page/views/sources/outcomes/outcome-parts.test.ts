import { describe, expect, it } from 'vitest'
import { type DestinationOutcomes, outcomeParts } from './outcome-parts.ts'

const at: DestinationOutcomes = {
  destinationId: 'crm',
  state: 'enabled',
  accepted: 7,
  replayed: 0,
  delivered: 2,
  notReached: [
    { why: 'notConnected', events: 1 },
    { why: 'transformation', outcome: 'dropped', versionId: '0190f0a2-1', events: 1 },
    { why: 'transformation', outcome: 'failed', versionId: '0190f0a2-1', code: 'transform.threw', events: 1 },
    { why: 'failed', code: 'deliver.refused', events: 1 },
  ],
  waiting: 1,
}

describe('the parts of outcomes', () => {
  it('add up to all events, and only failures are red and lead to what failed', () => {
    const parts = outcomeParts(at, '/failed')
    expect(parts.reduce((sum, { value }) => sum + value, 0)).toBe(at.accepted + at.replayed)
    expect(parts.map(({ name, state }) => [name, state])).toEqual([
      ['Delivered', 'good'],
      ['Waiting', 'wait'],
      ['Not connected', 'idle'],
      ['Dropped by the transformation (version 0190f0a2)', 'idle'],
      ['The transformation failed: transform.threw (version 0190f0a2)', 'bad'],
      ['Failed: deliver.refused', 'bad'],
    ])
    for (const { state, href } of parts) expect(href).toBe(state === 'bad' ? '/failed' : undefined)
  })

  it('say why events wait', () => {
    expect(outcomeParts({ ...at, state: 'paused' }, '/failed')[1]?.name).toBe('Waiting, because it is paused')
  })
})
