import type { Event, JsonObject, JsonValue } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { batchEvents, isKnown, type MappingError, mapEvent, parseSettings } from '../../kit/index.ts'
import { customerio } from './customerio.ts'
import { itemsOf } from './customerio-batch.ts'

const now = Date.UTC(2024, 0)

function settingsOf(given: JsonObject = {}): JsonObject {
  const parsed = parseSettings(customerio, { siteID: 'site', apiKey: 'key', ...given })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.settings
}

const v2 = settingsOf({ apiVersion: 'v2' })

const itemOf = (event: Event): JsonValue | undefined => {
  const mapped = mapEvent(customerio, event, v2, { now })
  return isKnown(mapped) ? mapped.flatMap(itemsOf)[0] : (mapped as MappingError).errorType
}

describe('items of Customer.io', () => {
  const app = { device: { type: 'iPadOS', token: 't1' } }
  const cases: readonly { readonly name: string; readonly event: Event; readonly want: JsonValue }[] = [
    {
      name: 'a person without a userId is identified by email',
      event: { type: 'identify', traits: { email: 'ada@example.com' } },
      want: {
        type: 'person',
        action: 'identify',
        identifiers: { email: 'ada@example.com' },
        attributes: { email: 'ada@example.com' },
      },
    },
    {
      name: 'an anonymous user cannot be identified',
      event: { type: 'identify', anonymousId: 'a1' },
      want: 'instrumentation',
    },
    {
      name: 'the id of a warehouse row identifies a person',
      event: {
        type: 'identify',
        context: {
          mappedToDestination: true,
          externalId: [{ id: 'w1', type: 'CUSTOMERIO-person', identifierType: 'id' }],
        },
      },
      want: { type: 'person', action: 'identify', identifiers: { id: 'w1' } },
    },
    {
      name: 'an address that is a string is kept',
      event: { type: 'identify', userId: 'u1', traits: { address: '5 High Street' } },
      want: { type: 'person', action: 'identify', identifiers: { id: 'u1' }, attributes: { address: '5 High Street' } },
    },
    {
      name: 'a time in seconds is kept',
      event: { type: 'identify', userId: 'u1', traits: { createdAt: 1_600_000_000 } },
      want: {
        type: 'person',
        action: 'identify',
        identifiers: { id: 'u1' },
        attributes: { created_at: 1_600_000_000 },
      },
    },
    {
      name: 'a new device has its platform and the properties of the event',
      event: { type: 'track', event: 'Application Opened', userId: 'u1', properties: { model: 'x' }, context: app },
      want: {
        type: 'person',
        action: 'add_device',
        identifiers: { id: 'u1' },
        device: { token: 't1', platform: 'ios', attributes: { model: 'x' } },
      },
    },
    {
      name: 'an opened app of an anonymous user is an ordinary event',
      event: { type: 'track', event: 'Application Opened', anonymousId: 'a1', context: app },
      want: { type: 'person', action: 'event', identifiers: { anonymous_id: 'a1' }, name: 'Application Opened' },
    },
    {
      name: 'a screen is named Viewed … Screen',
      event: { type: 'screen', userId: 'u1', name: 'Home' },
      want: { type: 'person', action: 'screen', identifiers: { id: 'u1' }, name: 'Viewed Home Screen' },
    },
    {
      name: 'an alias merges people, by id or email',
      event: { type: 'alias', userId: 'u1', previousId: 'ada@example.com' },
      want: { type: 'person', action: 'merge', primary: { id: 'u1' }, secondary: { email: 'ada@example.com' } },
    },
    { name: 'an alias needs both ids', event: { type: 'alias', userId: 'u1' }, want: 'instrumentation' },
    { name: 'a group needs an id', event: { type: 'group', userId: 'u1' }, want: 'instrumentation' },
    {
      name: 'a record is identified by one identifier; the others are attributes',
      event: {
        type: 'record',
        action: 'insert',
        identifiers: { id: 'r1', email: 'ada@example.com' },
        fields: { age: 3 },
      },
      want: {
        type: 'person',
        action: 'identify',
        identifiers: { id: 'r1' },
        attributes: { email: 'ada@example.com', age: 3 },
      },
    },
    {
      name: 'a record with the action delete is deleted',
      event: { type: 'record', action: 'delete', identifiers: { email: 'ada@example.com', age: 3 } },
      want: { type: 'person', action: 'delete', identifiers: { email: 'ada@example.com' } },
    },
    {
      name: 'a record needs a known action',
      event: { type: 'record', action: 'tell', identifiers: { id: 'r1' } },
      want: 'instrumentation',
    },
    {
      name: 'an event above 32 KB is refused, because Customer.io would refuse it',
      event: { type: 'track', event: 'Read', userId: 'u1', properties: { text: 'x'.repeat(32_000) } },
      want: 'instrumentation',
    },
  ]
  for (const { name, event, want } of cases) it(name, () => expect(itemOf(event)).toEqual(want))
})

describe('names of events at Customer.io', () => {
  it('are cut to the maximum length', () => {
    expect(itemOf({ type: 'track', event: 'x'.repeat(150), userId: 'u1' })).toMatchObject({ name: 'x'.repeat(100) })
  })

  it('are strings', () => expect(itemOf({ type: 'track', event: 5, userId: 'u1' })).toBe('instrumentation'))
})

describe('batches of Customer.io', () => {
  const events: readonly Event[] = [
    { type: 'group', userId: 'u1', groupId: 'g1' },
    { type: 'track', event: 'Read', userId: 'u1' },
    { type: 'group', userId: 'u2', groupId: 'g1' },
  ]
  const inputs = events.map((event) => ({ event, userKey: String(event['userId']), context: { now } }))

  it('contain only groups and records with version 1 of the API', () => {
    const { batches } = batchEvents(customerio, inputs, settingsOf())
    expect(batches.map(({ indexes, batched }) => [indexes, batched])).toEqual([
      [[0, 2], true],
      [[1], false],
    ])
    expect(batches[0]?.requests.flatMap(itemsOf).map(({ type }) => type)).toEqual(['object', 'object'])
  })

  it('contain everything with version 2', () => {
    const { batches } = batchEvents(customerio, inputs, v2)
    expect(batches.map(({ indexes }) => indexes)).toEqual([[0, 1, 2]])
    expect(batches[0]?.requests.flatMap(itemsOf).map(({ type }) => type)).toEqual(['object', 'person', 'object'])
  })

  it('have at most 500 KB', () => {
    const large = { type: 'track', event: 'Read', userId: 'u1', properties: { text: 'x'.repeat(30_000) } }
    const many = Array.from({ length: 20 }, () => ({ event: large, userKey: 'u1', context: { now } }))
    expect(batchEvents(customerio, many, v2).batches.map(({ indexes }) => indexes.length)).toEqual([16, 4])
  })
})

describe('replies of Customer.io', () => {
  const [batch] = batchEvents(
    customerio,
    ['u1', 'u2'].map((userId) => ({ event: { type: 'identify', userId }, userKey: userId, context: { now } })),
    v2,
  ).batches
  const answered = (status: number, body: JsonValue) => {
    const [request] = batch?.requests ?? []
    if (!request) throw new Error('there is no request')
    return customerio.respond?.({ status, headers: {}, body }, request)
  }

  it('name the refused items of a batch', () => {
    const errors = [{ batch_index: 1, reason: 'invalid', field: 'identifiers', message: 'must not be empty' }]
    expect(answered(207, { errors })?.items).toEqual([
      { outcome: 'delivered', status: 200, message: 'answered 200' },
      { outcome: 'aborted', status: 400, message: 'invalid: identifiers: must not be empty' },
    ])
  })

  it('without items are judged by their status', () => {
    const outcomes = [200, 400, 401, 429, 500].map((status) => answered(status, { meta: { error: 'no' } })?.outcome)
    expect(outcomes).toEqual(['delivered', 'aborted', 'aborted', 'throttled', 'retry'])
  })
})

describe('calls of version 1 of Customer.io', () => {
  const v1 = settingsOf({ apiVersion: 'v1' })
  const of = (event: Event) => mapEvent(customerio, event, v1, { now })
  it('refuse ids of persons and devices that would change the path', () => {
    const uninstalled = (userId: string, token: string): Event => ({
      type: 'track',
      event: 'Application Uninstalled',
      userId,
      context: { device: { token } },
    })
    expect(isKnown(of(uninstalled('u1', 't1')))).toBe(true)
    for (const event of [
      uninstalled('u1', '..'),
      uninstalled('..', 't1'),
      { type: 'identify', userId: '.' },
      { type: 'track', event: 'E', userId: '..' },
    ])
      expect(of(event)).toMatchObject({ errorType: 'instrumentation' })
  })
})
