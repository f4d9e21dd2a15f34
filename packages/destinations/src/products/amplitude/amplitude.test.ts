import type { JsonObject } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { batchEvents as batchOf, isMappingError, json, parseSettings } from '../../kit/index.ts'
import { amplitude } from './amplitude.ts'
import { amplitudeDeletion } from './amplitude-deletion.ts'
import { readReply } from './amplitude-reply.ts'

const parsed = parseSettings(amplitude, { apiKey: 'key' })
const settings = parsed.ok ? parsed.settings : {}

describe('Amplitude batches', () => {
  const track = (userId: string): JsonObject => ({
    type: 'track',
    event: 'Seen',
    userId,
    anonymousId: `device-${userId}`,
  })
  const batched = (...events: readonly JsonObject[]) =>
    batchOf(
      amplitude,
      events.map((event) => ({ event, userKey: '', context: { now: 0 } })),
      settings,
    ).batches.map(({ indexes, requests }) => [indexes, ...requests.map(({ endpointPath }) => endpointPath)])

  it('send events of users with long ids together, through the batch API', () => {
    expect(batched(track('user-1'), track('user-2'))).toEqual([[[0, 1], 'batch']])
  })

  it('send events of users with short ids alone, because the batch API refuses them', () => {
    expect(batched(track('u1'), track('u2'))).toEqual([
      [[0], '2/httpapi'],
      [[1], '2/httpapi'],
    ])
  })

  it('send groups alone, because they go to another API', () => {
    const group = { ...track('user-1'), type: 'group', groupId: 'g1' }
    expect(batched(track('user-1'), group, track('user-1'))).toEqual([
      [[1], '2/httpapi', 'groupidentify'],
      [[0, 2], 'batch'],
    ])
  })
})

describe('replies of Amplitude', () => {
  const events = [{ user_id: 'user-1' }, { user_id: 'user-2' }, { user_id: 'user-3' }]
  const request = json({ method: 'POST', endpoint: 'https://api2.amplitude.com/batch', body: { events } })
  const read = (status: number, body: JsonObject) => readReply({ status, headers: {}, body }, request)
  const cases = [
    { name: '200 is delivered', status: 200, body: { code: 200 }, want: { outcome: 'delivered', status: 200 } },
    {
      name: '429 throttles everything',
      status: 429,
      body: { error: 'x' },
      want: { outcome: 'throttled', status: 429 },
    },
    {
      name: '429 that names users throttles only these',
      status: 429,
      body: { throttled_users: { u1: 32 } },
      want: { outcome: 'retry', status: 500 },
    },
    { name: '503 is retried', status: 503, body: {}, want: { outcome: 'retry', status: 500 } },
    { name: '400 is final', status: 400, body: { error: 'bad' }, want: { outcome: 'aborted', message: 'bad' } },
  ]
  for (const { name, status, body, want } of cases) it(name, () => expect(read(status, body)).toMatchObject(want))

  it('give up only the events of a batch that they name', () => {
    const { items } = read(400, { error: 'bad', events_with_invalid_fields: { time: [1] } })
    expect(items?.map(({ outcome }) => outcome)).toEqual(['retry', 'aborted', 'retry'])
  })

  it('decide about all events of a batch when they name none', () => {
    expect(read(400, { events_with_missing_fields: { event_type: [7] } }).items).toBeUndefined()
  })
})

describe('deletion of users at Amplitude', () => {
  const users = [{ userId: 'u1' }, { email: 'b@example.com' }, { userId: 2 }]
  const secret = { apiKey: 'key', apiSecret: 'secret' }
  const context = { now: 0, requestId: '' }
  const requests = (settings: JsonObject) => {
    const made = amplitudeDeletion.requests(users, settings, context)
    return isMappingError(made) ? [] : made
  }

  it('deletes all users with a userId in one request', () => {
    expect(requests(secret)).toMatchObject([
      {
        method: 'POST',
        endpoint: 'https://amplitude.com/api/2/deletions/users',
        headers: { Authorization: `Basic ${btoa('key:secret')}` },
        body: { JSON: { user_ids: ['u1', '2'] } },
      },
    ])
  })

  it('uses the European host when the data resides there', () => {
    const [request] = requests({ ...secret, residencyServer: 'EU' })
    expect(request?.endpoint).toBe('https://analytics.eu.amplitude.com/api/2/deletions/users')
  })

  it('fails without the secret key', () => {
    expect(isMappingError(amplitudeDeletion.requests(users, { apiKey: 'key' }, context))).toBe(true)
  })

  it('sends nothing when no user has a userId', () => {
    expect(amplitudeDeletion.requests([{ email: 'b@example.com' }], secret, context)).toEqual([])
  })
})
