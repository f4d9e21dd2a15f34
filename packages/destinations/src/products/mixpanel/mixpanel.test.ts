import type { JsonObject, JsonValue } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import {
  batchEvents,
  type DeliveryRequest,
  type DestinationReply,
  isMappingError,
  parseSettings,
} from '../../kit/index.ts'
import { mixpanel } from './mixpanel.ts'

const now = Date.UTC(2024, 0, 2)

function settingsOf(given: JsonObject = {}): JsonObject {
  const parsed = parseSettings(mixpanel, { token: 'token', ...given })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.settings
}

const itemsOf = (request: DeliveryRequest | undefined): readonly JsonObject[] =>
  JSON.parse(request?.body.JSON_ARRAY.batch ?? '[]')

describe('batches of Mixpanel', () => {
  const batchesOf = (events: readonly JsonObject[], settings: JsonObject = {}) =>
    batchEvents(
      mixpanel,
      events.map((event) => ({ event, userKey: String(event['userId']), context: { now } })),
      settingsOf(settings),
    ).batches

  it('keep the requests of one event together, and report the event of each item', () => {
    const identify = (userId: string) => ({ type: 'identify', userId, anonymousId: userId === 'u2' ? 'a2' : '' })
    const [batch, ...others] = batchesOf([identify('u1'), identify('u2')])
    expect(others).toEqual([])
    expect(batch?.indexes).toEqual([0, 1])
    expect(batch?.parts.map((parts) => parts.map(({ index }) => index))).toEqual([[0, 1], [1]])
    expect(batch?.requests.map((request) => [request.endpointPath, itemsOf(request).length])).toEqual([
      ['engage', 2],
      ['import', 1],
    ])
  })

  it('never contain more than 200 groups', () => {
    const settings = { groupKeySettings: [{ groupKey: 'team' }] }
    const events = Array.from({ length: 201 }, (_, index) => ({
      type: 'group',
      userId: `u${index}`,
      traits: { team: index },
    }))
    const sizes = batchesOf(events, settings).flatMap(({ requests }) => requests.map((each) => itemsOf(each).length))
    expect(sizes).toEqual([201, 200, 1])
  })

  it('never exceed a megabyte', () => {
    const events = Array.from({ length: 3 }, () => ({
      type: 'track',
      event: 'x',
      userId: 'u',
      timestamp: now,
      properties: { a: 'x'.repeat(450_000) },
    }))
    expect(batchesOf(events).map(({ indexes }) => indexes)).toEqual([[0, 1], [2]])
  })
})

describe('replies of Mixpanel', () => {
  const reply = (status: number, body: JsonValue): DestinationReply => ({ status, headers: {}, body })
  const request = (endpoint: string): DeliveryRequest => ({
    version: '1',
    type: 'REST',
    method: 'POST',
    endpoint,
    headers: {},
    params: {},
    body: { JSON: {}, JSON_ARRAY: { batch: '[{},{}]' }, XML: {}, FORM: {} },
    files: {},
  })
  const answered = (endpoint: string, status: number, body: JsonValue) => {
    const { outcome, items } = mixpanel.respond?.(reply(status, body), request(endpoint)) ?? {}
    return items ? items.map((item) => [item.outcome, item.message]) : outcome
  }

  it('to an import name the refused events; the others are delivered', () => {
    const failed_records = [{ index: 1, insert_id: 'm2', field: 'properties.time', message: 'no time' }]
    const body = { code: 400, num_records_imported: 1, status: 'Bad Request', failed_records }
    expect(answered('https://api.mixpanel.com/import/', 400, body)).toEqual([
      ['delivered', 'answered 200'],
      ['aborted', 'no time'],
    ])
  })

  it('to profile updates are successful only without an error', () => {
    const engage = 'https://api.mixpanel.com/engage/'
    expect(answered(engage, 200, { status: 1, error: null })).toBe('delivered')
    expect(answered(engage, 200, { status: 0, error: 'no token' })).toEqual([
      ['aborted', 'no token'],
      ['aborted', 'no token'],
    ])
  })

  it('without items are judged by their status', () => {
    const statuses = [200, 400, 401, 413, 429, 503]
    const outcomes = statuses.map((status) => answered('https://api.mixpanel.com/import/', status, { error: 'no' }))
    expect(outcomes).toEqual(['delivered', 'aborted', 'aborted', 'aborted', 'throttled', 'retry'])
  })
})

describe('deletion at Mixpanel', () => {
  const users = [{ userId: 'u1' }, { email: 'ada@example.com' }, { userId: 'u2' }]
  const requestsOf = (settings: JsonObject) =>
    mixpanel.deletion?.requests(users, settingsOf(settings), { now: 0, requestId: '' })

  it('deletes the profiles of users that have a userId', () => {
    const requests = requestsOf({ dataResidency: 'eu' })
    if (!requests || isMappingError(requests)) throw new Error('no requests')
    expect(requests.map(({ endpoint }) => endpoint)).toEqual(['https://api-eu.mixpanel.com/engage'])
    expect(itemsOf(requests[0])).toEqual(
      ['u1', 'u2'].map((id) => ({ $distinct_id: id, $token: 'token', $delete: null, $ignore_alias: true })),
    )
  })

  it('creates a deletion task if the settings demand it', () => {
    expect(requestsOf({ userDeletionApi: 'task', gdprApiToken: 'secret' })).toMatchObject([
      {
        endpoint: 'https://mixpanel.com/api/app/data-deletions/v3.0/?token=token',
        headers: { Authorization: 'Bearer secret' },
        body: { JSON: { distinct_ids: ['u1', 'u2'], compliance_type: 'GDPR' } },
      },
    ])
  })

  it('needs a token for a deletion task', () => {
    const error = requestsOf({ userDeletionApi: 'task' })
    expect(isMappingError(error) && error.errorType).toBe('configuration')
  })

  it('fails when the reply has an error, whatever its status', () => {
    const respond = (status: number, body: JsonValue) =>
      mixpanel.deletion?.respond?.({ status, headers: {}, body }).outcome
    expect([
      respond(200, { status: 1, error: null }),
      respond(200, { error: 'no' }),
      respond(403, ''),
      respond(500, ''),
    ]).toEqual(['delivered', 'aborted', 'aborted', 'retry'])
  })

  it('allows fewer profiles per request than ids per task', () => {
    const usersMax = mixpanel.deletion?.usersMax
    if (typeof usersMax !== 'function') throw new Error('usersMax depends on the settings')
    expect([usersMax(settingsOf()), usersMax(settingsOf({ userDeletionApi: 'task' }))]).toEqual([1000, 1999])
  })
})
