import type { Event, JsonObject } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { batchEvents, isAsk, mapEvent, parseSettings } from '../../kit/index.ts'
import { braze } from './braze.ts'

function settingsOf(given: JsonObject = {}): JsonObject {
  const parsed = parseSettings(braze, { restApiKey: 'key', dataCenter: 'US-01', ...given })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.settings
}

const attributesOf = (event: Event, given: JsonObject, answer?: JsonObject) => {
  const context = { now: 0, answers: new Map(answer ? [['user ["u1",null]', answer]] : []) }
  const mapped = mapEvent(braze, event, settingsOf(given), context)
  return Array.isArray(mapped) ? mapped[0]?.body.JSON['attributes'] : mapped
}

describe('attributes of Braze', () => {
  const cases: readonly { readonly name: string; readonly traits: JsonObject; readonly want: JsonObject }[] = [
    { name: 'null erases a value', traits: { email: null, plan: null }, want: { email: null, plan: null } },
    {
      name: 'the address is a city and a country',
      traits: { address: { city: 'Ghent', country: 'BE', street: 'Ash Lane' } },
      want: { home_city: 'Ghent', country: 'BE' },
    },
    {
      name: 'genders have one letter',
      traits: { gender: 'Woman', job: 'potter' },
      want: { gender: 'F', job: 'potter' },
    },
    {
      name: 'operations on lists of objects are translated',
      traits: { pets: { remove: [{ identifier: 'id', id: 3 }] } },
      want: { pets: { $remove: [{ $identifier_key: 'id', $identifier_value: 3 }] }, _merge_objects: false },
    },
    {
      name: 'operations on plain lists are kept',
      traits: { tags: { add: ['x'], remove: ['y'] } },
      want: { tags: { add: ['x'], remove: ['y'] } },
    },
  ]
  for (const { name, traits, want } of cases) {
    it(name, () => {
      const event = { type: 'identify', userId: 'u1', traits }
      expect(attributesOf(event, { enableNestedArrayOperations: true })).toEqual([{ ...want, external_id: 'u1' }])
    })
  }

  it('leave out what Braze already has, if the settings say so', () => {
    const event: Event = { type: 'identify', userId: 'u1', traits: { firstName: 'Ada', plan: 'pro', list: [1] } }
    expect(isAsk(attributesOf(event, { supportDedup: true }))).toBe(true)
    const known = { first_name: 'Ada', custom_attributes: { plan: 'free', list: [1] } }
    expect(attributesOf(event, { supportDedup: true }, known)).toEqual([{ plan: 'pro', external_id: 'u1' }])
    expect(attributesOf({ ...event, traits: { firstName: 'Ada' } }, { supportDedup: true }, known)).toMatchObject({
      errorType: 'instrumentation',
    })
  })
})

describe('batches of Braze', () => {
  it('join requests of one kind, and subscriptions to one group', () => {
    const group = (userId: string): Event => ({
      type: 'group',
      userId,
      groupId: 'g1',
      traits: { subscriptionState: 'subscribed' },
    })
    const events: readonly Event[] = [
      { type: 'track', event: 'Read', userId: 'u1' },
      group('u1'),
      { type: 'alias', userId: 'u1', previousId: 'p1' },
      group('u2'),
      { type: 'track', event: 'Read', userId: 'u2', context: { traits: { plan: 'pro' } } },
    ]
    const inputs = events.map((event) => ({ event, userKey: '', context: { now: 0 } }))
    const { batches } = batchEvents(braze, inputs, settingsOf({ enableSubscriptionGroupInGroupCall: true }))
    expect(batches.map(({ requests: [sent], indexes }) => [sent?.endpointPath, indexes])).toEqual([
      ['users/track', [0, 4]],
      ['v2/subscription/status/set', [1, 3]],
      ['users/merge', [2]],
    ])
    expect(batches[0]?.requests[0]?.body.JSON).toMatchObject({ partner: 'RudderStack', attributes: [{ plan: 'pro' }] })
    expect(batches[1]?.requests[0]?.body.JSON['subscription_groups']).toEqual([
      { subscription_group_id: 'g1', subscription_state: 'subscribed', external_ids: ['u1', 'u2'] },
    ])
  })
})
