import { describe, expect, it } from 'vitest'
import { withRowTime } from './with-row-time.ts'

describe('withRowTime', () => {
  const row = {
    channel: 'sources',
    timestamp: '2024-06-15T10:45:40Z',
    properties: { timestamp: '2020-05-05T00:00:00Z' },
  }

  it('gives an event of a warehouse the time of its row', () => {
    expect(withRowTime(row)).toEqual({ ...row, timestamp: '2020-05-05T00:00:00Z' })
  })

  it('changes no other event, and none of a row without a time', () => {
    const events = [
      { ...row, channel: 'web' },
      { ...row, properties: {} },
      { ...row, properties: { timestamp: '' } },
    ]
    for (const event of events) expect(withRowTime(event)).toBe(event)
  })
})
