import { createSeededRandom } from '@sluice/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { completeAgain } from '../complete/complete-again.ts'
import type { IngestType } from '../complete/ingest-type.ts'
import { completeEvents } from './complete-events.ts'
import type { IngestCall } from './ingest-call.ts'
import { parseEvents } from './parse-events.ts'
import { rawEventsOf } from './raw-events-of.ts'

const source = { workspaceId: 'w', sourceId: 's', writeKey: 'k', enabled: true, destinationIds: [] }
const receivedAt = Date.parse('2026-02-03T04:05:06.007Z')

/** Takes a body as a call does. @returns its events, complete, and as they are kept. */
function taken(type: IngestType, text: string, requestIp?: string) {
  const payload: unknown = JSON.parse(text)
  const call: IngestCall = { writeKey: 'k', type, payload, text, requestIp, isOwn: true }
  const parsed = parseEvents(type, payload, 'pipeline')
  const items = completeEvents(source, call, parsed, receivedAt, createSeededRandom(1))
  const events = items.map(({ event }) => event)
  const ids = events.map(({ messageId }) => messageId)
  return { events, raw: rawEventsOf(call, parsed, receivedAt, ids), received: parsed.received }
}

const text = fc.oneof(
  fc.string(),
  fc.constantFrom('u', ' u ', 'Ü', '2026-01-02T03:04:05Z', '2026-01-02', 'no time', ''),
)
const scalar = fc.oneof(text, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(null))
const event = fc.record(
  {
    type: fc.constantFrom('track', 'identify'),
    userId: fc.constantFrom('u1', 'ü2', 7),
    messageId: scalar,
    sentAt: text,
    timestamp: scalar,
    originalTimestamp: scalar,
    receivedAt: text,
    request_ip: text,
    properties: fc.jsonValue(),
    rudderId: text,
  },
  { requiredKeys: ['type', 'userId'] },
)

describe('events that are kept as they were sent', () => {
  it('become what they were when they were accepted, member by member', () => {
    fc.assert(
      fc.property(
        fc.array(event, { minLength: 1, maxLength: 4 }),
        fc.option(text, { nil: undefined }),
        fc.constantFrom(undefined, '192.0.2.1'),
        fc.constantFrom(0, 2),
        (batch, sentAt, ip, indent) => {
          const { events, raw, received } = taken('batch', JSON.stringify({ batch, sentAt }, null, indent), ip)
          // Refused events, and numbers that JSON writes otherwise, are kept as complete ones.
          if (raw === undefined) return
          expect(raw.completion.events).toBe(received)
          const again = completeAgain(JSON.parse(raw.text), JSON.parse(JSON.stringify([raw.completion])))
          expect(JSON.stringify(again)).toBe(JSON.stringify(events))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('are the usual case', () => {
    const batch = [
      { type: 'track', event: 'A', userId: 'u', messageId: 'm1' },
      { type: 'page', anonymousId: 'a', properties: { n: 1.5, '}': '[{"' } },
    ]
    for (const body of [{ batch }, { batch, sentAt: '2026-01-02T03:04:05.006Z' }, { sentAt: 'no time', batch }])
      expect(taken('batch', JSON.stringify(body)).raw?.text).toBe(JSON.stringify(batch))
    const { events, raw } = taken('track', '{"userId":"u","event":"A","writeKey":"k"}')
    expect(completeAgain(JSON.parse(raw?.text ?? ''), raw ? [raw.completion] : [])).toEqual(events)
    expect(events[0]).toMatchObject({ type: 'track', userId: 'u', messageId: expect.any(String) })
  })

  it('are not where the body says more than is to be kept', () => {
    const good = '{"type":"track","userId":"u"}'
    for (const body of [
      // Another member, a hidden list, an event without a user, a number that is not kept as it is written.
      `{"batch":[${good}],"context":{"ip":"192.0.2.1"}}`,
      `{"batch":[{"type":"track","userId":"hidden"}],"batch":[${good}]}`,
      `{"batch":[{"type":"track","userId":"hidden"}],"b\\u0061tch":[${good}]}`,
      `{"batch":[${good},{"type":"track","email":"hidden@mail.test"}]}`,
      `{"batch":[{"type":"track","userId":"u","n":1e999}]}`,
    ])
      expect(taken('batch', body).raw, body).toBeUndefined()
  })
})
