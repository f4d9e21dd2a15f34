import { describe, expect, it } from 'vitest'
import { type IngestType, parseEvents, parseEventsInTurns } from './parse-events.ts'

const good = { userId: 'u1', event: 'E' }
const codesOf = (type: IngestType, payload: unknown) =>
  parseEvents(type, payload, 'pipeline').rejected.map(({ code }) => code)
/** An event with objects inside each other. */
const nested = (depth: number): object => ({
  ...good,
  properties: Array.from({ length: depth }).reduce((inner) => ({ inner }), 1),
})

describe('a call with one event', () => {
  it('is an event of the type of its route, whatever the event says', () => {
    expect(parseEvents('track', { ...good, type: 'page' }, 'pipeline')).toEqual({
      events: [{ index: 0, event: { ...good, type: 'track' } }],
      rejected: [],
      received: 1,
      isExact: true,
    })
  })

  for (const payload of [undefined, null, 'text', 7, [good]])
    it(`is refused when it is ${JSON.stringify(payload)}`, () => {
      expect(parseEvents('track', payload, 'pipeline')).toMatchObject({
        rejected: [{ index: 0, code: 'eventInvalid' }],
        received: 1,
      })
    })
})

describe('a batch', () => {
  it('keeps the order and the place of its well-formed events', () => {
    const { events, rejected, received } = parseEvents(
      'batch',
      { batch: [good, 7, {}, { ...good, event: 'F' }] },
      'pipeline',
    )
    expect(events.map(({ index, event }) => [index, event['event']])).toEqual([
      [0, 'E'],
      [3, 'F'],
    ])
    expect(rejected).toEqual([
      { index: 1, code: 'eventInvalid' },
      { index: 2, code: 'identityMissing' },
    ])
    expect(received).toBe(4)
  })

  it('is refused as a whole when it is empty or no list', () => {
    expect(codesOf('batch', { batch: [] })).toEqual(['batchEmpty'])
    for (const payload of [{}, { batch: 'x' }, { batch: { 0: good } }])
      expect(codesOf('batch', payload)).toEqual(['bodyInvalidJson'])
    expect(codesOf('batch', [good])).toEqual(['eventInvalid'])
  })

  it('has the time that it was sent at, when that is text', () => {
    expect(parseEvents('batch', { batch: [good], sentAt: '2026-01-01T00:00:00Z' }, 'pipeline').sentAt).toBe(
      '2026-01-01T00:00:00Z',
    )
    expect(parseEvents('batch', { batch: [good], sentAt: 7 }, 'pipeline')).not.toHaveProperty('sentAt')
  })
})

describe('an event', () => {
  const without = [{}, { userId: '' }, { userId: ' \u200b' }, { userId: null, anonymousId: '' }]
  for (const event of without)
    it(`is refused without a user: ${JSON.stringify(event)}`, () => {
      expect(codesOf('track', event)).toEqual(['identityMissing'])
    })

  for (const event of [{ anonymousId: 'a' }, { userId: 7 }, { userId: { id: 1 } }])
    it(`has a user by ${JSON.stringify(event)}`, () => expect(codesOf('track', event)).toEqual([]))

  it('needs no user when it is a record of a type without users', () => {
    expect(codesOf('batch', { batch: [{ type: 'extract' }, { type: 'record' }] })).toEqual([])
    expect(codesOf('batch', { batch: [{ type: 'track' }] })).toEqual(['identityMissing'])
  })

  it('may have identifiers of 1,000 characters, and no longer ones', () => {
    for (const name of ['messageId', 'userId', 'anonymousId']) {
      expect(codesOf('track', { ...good, [name]: 'x'.repeat(1_000) })).toEqual([])
      expect(codesOf('track', { ...good, [name]: 'x'.repeat(1_001) })).toEqual(['eventInvalid'])
    }
  })

  it('may be nested 256 levels deep, and no deeper, however deep it is', () => {
    expect(codesOf('track', nested(255))).toEqual([])
    expect(codesOf('track', nested(256))).toEqual(['eventInvalid'])
    expect(codesOf('track', nested(100_000))).toEqual(['eventInvalid'])
  })

  it('cannot be kept when it holds what JSON has no word for', () => {
    expect(codesOf('track', { ...good, n: 1n })).toEqual(['eventInvalid'])
  })

  it('is not exact when JSON would change one of its numbers', () => {
    for (const n of [-0, Number.NaN, Number.POSITIVE_INFINITY])
      expect(parseEvents('track', { ...good, list: [{ n }] }, 'pipeline')).toMatchObject({
        rejected: [],
        isExact: false,
      })
    expect(parseEvents('track', { ...good, list: [0, 1.5, -1] }, 'pipeline').isExact).toBe(true)
  })
})

describe('the events of a call, in turns', () => {
  it('are the same, and are looked at one by one: a few may have as many keys as thousands of others', async () => {
    const track = (n: number) => ({ type: 'track', event: 'E', userId: `u${n}`, properties: { n } })
    const batch = [track(1), 'no event', track(2), { type: 'track' }, track(3)]
    const lengths: number[] = []
    const payloads = [
      { batch, sentAt: '2026-01-01T00:00:00Z' },
      { batch: [track(1)] },
      { batch: [] },
      { batch: 7 },
      null,
    ]
    for (const payload of payloads)
      expect(
        await parseEventsInTurns('batch', payload, 'pipeline', async (items, work) => {
          lengths.push(items.length)
          return items.map(work)
        }),
      ).toEqual(parseEvents('batch', payload, 'pipeline'))
    expect(lengths).toEqual([5, 1, 1, 1, 1])
  })
})
