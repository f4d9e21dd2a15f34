import type { Event } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { batchEvents, mapEvent, parseSettings } from '../../kit/index.ts'
import { iterable } from './iterable.ts'

const parsed = parseSettings(iterable, { apiKey: 'key', trackNamedPages: true })
if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
const { settings } = parsed
const context = { now: 0 }

const batchesOf = (events: readonly Event[]) =>
  batchEvents(
    iterable,
    events.map((event) => ({ event, userKey: '', context })),
    settings,
  ).batches

describe('batches of Iterable', () => {
  it('join users and events, and send purchases alone', () => {
    const order = { total: 1, product_id: 'p', order_id: 'o' }
    const batches = batchesOf([
      { type: 'identify', userId: 'u1' },
      { type: 'track', event: 'Read', userId: 'u1' },
      { type: 'track', event: 'Order Completed', userId: 'u1', properties: order },
      { type: 'identify', userId: 'u2' },
      { type: 'page', name: 'Home', userId: 'u2' },
    ])
    expect(batches.map(({ requests: [sent], indexes, batched }) => [sent?.endpointPath, indexes, batched])).toEqual([
      ['users/bulkUpdate', [0, 3], true],
      ['events/trackBulk', [1, 4], true],
      ['commerce/trackPurchase', [2], false],
    ])
  })

  it('join the items of one catalog', () => {
    const row = (object: string, id: string): Event => ({
      type: 'identify',
      traits: { id },
      context: { mappedToDestination: true, externalId: [{ type: `ITERABLE-${object}`, identifierType: 'id', id }] },
    })
    const batches = batchesOf([row('a', '1'), row('b', '2'), row('a', '3')])
    expect(batches.map(({ requests: [sent] }) => Object.keys(Object(sent?.body.JSON['documents'])))).toEqual([
      ['1', '3'],
      ['2'],
    ])
  })
})

describe('replies of Iterable', () => {
  const [batch] = batchesOf(['a@x.test', 'b@x.test'].map((email) => ({ type: 'identify', traits: { email } })))
  const statuses = (body: Record<string, string[] | Record<string, string[]>>) => {
    const [request] = batch?.requests ?? []
    if (!request) throw new Error('there is no request')
    return iterable.respond?.({ status: 200, headers: {}, body }, request).items?.map(({ status }) => status)
  }

  it('name refused users', () => {
    expect(statuses({ failedUpdates: { conflictEmails: ['b@x.test'] } })).toEqual([200, 400])
  })

  it('do not refuse users that were up to date', () => {
    expect(statuses({ noOpEmails: ['b@x.test'] })).toEqual([200, 200])
  })
})

describe('mappings of Iterable', () => {
  const cases: readonly { readonly name: string; readonly event: Event }[] = [
    { name: 'a person', event: { type: 'track', event: 'Read' } },
    { name: 'a total for a purchase', event: { type: 'track', event: 'order completed', userId: 'u1' } },
    {
      name: 'an id of every product',
      event: { type: 'track', event: 'Product Removed', userId: 'u1', properties: { products: [{ name: 'p' }] } },
    },
    { name: 'a previousId for an alias', event: { type: 'alias', userId: 'u1' } },
  ]
  for (const { name, event } of cases) {
    it(`need ${name}`, () =>
      expect(mapEvent(iterable, event, settings, context)).toMatchObject({ errorType: 'instrumentation' }))
  }
})
