import { createSeededRandom, type JsonObject } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { completeEvent, isoTime } from './complete-event.ts'

const receivedAt = Date.UTC(2026, 0, 1, 12)
const complete = (event: JsonObject, call: { sentAt?: string; requestIp?: string } = {}) =>
  completeEvent(event, { receivedAt, receivedAtText: isoTime(receivedAt), ...call }, createSeededRandom(1))

describe('completing an event', () => {
  it('does not change the event it was given', () => {
    const event = Object.freeze({ type: 'track', userId: 'u' })
    expect(complete(event)).toMatchObject(event)
  })

  const timestamps: readonly (readonly [string, JsonObject, string])[] = [
    ['is kept when sent', { timestamp: '2020-01-01T00:00:00.000Z', sentAt: '2020-01-02' }, '2020-01-01T00:00:00.000Z'],
    [
      'is shown in UTC with milliseconds',
      { timestamp: '2020-01-01T02:00:00.184817+02:00' },
      '2020-01-01T00:00:00.184Z',
    ],
    ['is the time of receipt when nothing is known', {}, '2026-01-01T12:00:00.000Z'],
    [
      'is the original one when it is not known when it was sent',
      { originalTimestamp: '2026-01-01T11:00:00Z' },
      '2026-01-01T11:00:00.000Z',
    ],
    [
      'takes the error of the sender clock out',
      { originalTimestamp: '2031-01-01T00:00:00Z', sentAt: '2031-01-01T00:00:10Z' },
      '2026-01-01T11:59:50.000Z',
    ],
    [
      'is computed when the sent one is no time',
      { timestamp: 'not a date', originalTimestamp: '2031-01-01T00:00:00Z', sentAt: '2031-01-01T00:00:10Z' },
      '2026-01-01T11:59:50.000Z',
    ],
    ['is computed when the sent one is a number', { timestamp: 1_700_000_000 }, '2026-01-01T12:00:00.000Z'],
    ['is computed when the sent one is empty', { timestamp: '' }, '2026-01-01T12:00:00.000Z'],
    ['is computed when the sent one is an object', { timestamp: { a: 1 } }, '2026-01-01T12:00:00.000Z'],
    [
      'has never a year beyond 9999',
      { originalTimestamp: '2026-01-01T00:00:00Z', sentAt: '9999-12-31T00:00:00Z', receivedAt: '0002-01-01T00:00:00Z' },
      '2026-01-01T00:00:00.000Z',
    ],
    ['survives nonsense', { originalTimestamp: {}, sentAt: 'soon', receivedAt: 'now' }, '2026-01-01T12:00:00.000Z'],
    [
      'survives times that no year of four digits shows',
      { originalTimestamp: '-271821-04-20T00:00:00Z', sentAt: '+275760-09-13T00:00:00Z' },
      '2026-01-01T12:00:00.000Z',
    ],
  ]
  for (const [name, event, expected] of timestamps) {
    it(`timestamp ${name}`, () => expect(complete(event)['timestamp']).toBe(expected))
  }

  it('keeps a timestamp that is no time as originalTimestamp, unless there is one', () => {
    expect(complete({ timestamp: 'soon' })['originalTimestamp']).toBe('soon')
    expect(complete({ timestamp: 5, originalTimestamp: '2026-01-01' })).toMatchObject({
      originalTimestamp: '2026-01-01T00:00:00.000Z',
    })
    expect(complete({ timestamp: 'soon', originalTimestamp: null })['originalTimestamp']).toBe('soon')
  })

  it('has the four times, all in UTC with milliseconds, whatever was sent', () => {
    const received = '2026-01-01T12:00:00.000Z'
    const times = (event: JsonObject, sentAt?: string) => {
      const { originalTimestamp, sentAt: sent, receivedAt: at, timestamp } = complete(event, sentAt ? { sentAt } : {})
      return [originalTimestamp, sent, at, timestamp]
    }
    expect(times({})).toEqual([received, received, received, received])
    expect(times({ timestamp: '2026-01-01T11:00:00.184817+00:00' }, '2026-01-01 11:00:01')).toEqual([
      '2026-01-01T11:00:00.184Z',
      '2026-01-01T11:00:01.000Z',
      received,
      '2026-01-01T11:00:00.184Z',
    ])
    expect(times({ originalTimestamp: '2026-01-01T11:00:00Z', sentAt: '2026-01-01T11:00:10+00' })).toEqual([
      '2026-01-01T11:00:00.000Z',
      '2026-01-01T11:00:10.000Z',
      received,
      '2026-01-01T11:59:50.000Z',
    ])
    expect(times({ sentAt: 'soon', timestamp: '2025-12-31' })[1]).toBe(received)
  })

  it('takes the time of the call when receivedAt is no time', () => {
    expect(complete({ receivedAt: 'soon' })['receivedAt']).toBe('2026-01-01T12:00:00.000Z')
    expect(complete({ receivedAt: '2020-01-01T00:00:00Z' })['receivedAt']).toBe('2020-01-01T00:00:00.000Z')
  })

  it('replaces a blank messageId by a UUID and cleans any other', () => {
    expect(complete({ messageId: ' \u0000\u034f' }).messageId).toMatch(/^[0-9a-f]{8}-/)
    expect(complete({ messageId: ' m\u00001 ' }).messageId).toBe('m1')
  })
})
