import { createSeededRandom } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import type { Ending } from '../flow/run-stage.ts'
import { completeEvents, countCall } from './complete-events.ts'

const source = { workspaceId: 'w', sourceId: 'web', writeKey: 'k', enabled: true, destinationIds: ['crm', 'mail'] }
const receivedAt = Date.UTC(2026, 0, 2, 23, 59)
const call = { writeKey: 'k', type: 'track', payload: {} } as const
const parsed = {
  events: [{ index: 0, event: { userId: 'u1', messageId: 'm1', originalTimestamp: '2026-01-02T23:57:00.000Z' } }],
  sentAt: '2026-01-02T23:58:00.000Z',
}

describe('the events of a call', () => {
  it('carry their source, and what only ingestion knows', () => {
    const [item] = completeEvents(
      source,
      { ...call, requestIp: '203.0.113.1' },
      parsed,
      receivedAt,
      createSeededRandom(1),
    )
    expect(item).toMatchObject({
      workspaceId: 'w',
      sourceId: 'web',
      writeKey: 'k',
      event: { messageId: 'm1', receivedAt: '2026-01-02T23:59:00.000Z', request_ip: '203.0.113.1' },
    })
    // The sender's clock is a minute slow: that shows by the time at which it sent the call.
    expect(item?.event['timestamp']).toBe('2026-01-02T23:58:00.000Z')
  })

  it('have a blank address when the caller has none', () => {
    const [item] = completeEvents(source, call, parsed, receivedAt, createSeededRandom(1))
    expect(item?.event['request_ip']).toBe('')
  })
})

describe('what is counted of a call', () => {
  const item = { workspaceId: 'w', sourceId: 'web', writeKey: 'k', event: {} }
  const counted = (...admitted: readonly [received: number, Partial<Parameters<typeof countCall>[3]>]) => {
    const all = {
      events: [],
      rejected: [{ index: 0, code: 'identityMissing' as const }],
      received: admitted[0],
      isExact: true,
    }
    const counts = countCall(source, all, receivedAt, { events: [], endings: [], suppressed: 0, ...admitted[1] })
    return counts.flatMap(({ destinationId, kind, reason, count, named }) =>
      named === undefined ? [[destinationId, kind, reason, count]] : [],
    )
  }

  it('adds up: received is rejected, suppressed and accepted, and every destination owes what was accepted', () => {
    const endings: Ending[] = [
      { origin: 1, stage: 'no-bots', outcome: { kind: 'drop', reason: 'bot' } },
      { origin: 2, stage: 'enrich', outcome: { kind: 'fail', error: { code: 'transform.threw', message: 'x' } } },
    ]
    expect(
      counted(7, {
        events: [
          { origin: 3, item },
          { origin: 4, item },
        ],
        endings,
        suppressed: 2,
      }),
    ).toEqual([
      ['', 'received', '', 7],
      ['', 'rejected', 'request neither has anonymousId nor userId', 1],
      ['', 'rejected', 'no-bots: bot', 1],
      ['', 'rejected', 'enrich: transform.threw', 1],
      ['', 'suppressed', '2026-01-02', 2],
      ['', 'accepted', '', 2],
      ['crm', 'accepted', '', 2],
      ['mail', 'accepted', '', 2],
    ])
  })

  it('has the reasons of own stages cut, as text that every store can keep', () => {
    const endings: Ending[] = [{ origin: 0, stage: 'own', outcome: { kind: 'drop', reason: `${'x'.repeat(199)}😀` } }]
    expect(counted(2, { endings })[2]).toEqual(['', 'rejected', `own: ${'x'.repeat(199)}\ufffd`, 1])
  })
})
