import { describe, expect, it } from 'vitest'
import { messageTypeOf } from './message-type.ts'

describe('the message type of an event', () => {
  it('matches in any case', () => {
    expect(messageTypeOf({ type: 'TRACK' })).toBe('track')
    expect(messageTypeOf({ type: 'audienceList' })).toBe('audiencelist')
  })

  it('matches exactly where the definition says so, except for types of warehouses', () => {
    const exactly = { matchesTypesExactly: true }
    expect(messageTypeOf({ type: 'track' }, exactly)).toBe('track')
    expect(messageTypeOf({ type: 'TRACK' }, exactly)).toBeUndefined()
    expect(messageTypeOf({ type: 'Record' }, exactly)).toBe('record')
  })

  for (const type of ['', 'telemetry', ' track', 7, null, ['track']])
    it(`is undefined for ${JSON.stringify(type)}`, () => expect(messageTypeOf({ type })).toBeUndefined())
})
