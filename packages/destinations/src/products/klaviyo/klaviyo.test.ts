import type { Event, JsonObject } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { batchEvents, mapEvent, parseSettings } from '../../kit/index.ts'
import { klaviyo } from './klaviyo.ts'

function settingsOf(given: JsonObject = {}): JsonObject {
  const parsed = parseSettings(klaviyo, { privateApiKey: 'key', apiVersion: 'v2', ...given })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.settings
}

const context = { now: 0 }

const subscriber = (email: string, subscribe: boolean): Event => ({
  type: 'identify',
  traits: { email, properties: { listId: 'l1', subscribe } },
})

describe('batches of Klaviyo', () => {
  const events = [subscriber('a@x.test', true), subscriber('b@x.test', false), subscriber('c@x.test', true)]
  const inputs = events.map((event) => ({ event, userKey: '', context }))

  it('join subscriptions of one kind, after the profiles that they are for', () => {
    const { batches } = batchEvents(klaviyo, inputs, settingsOf({ consent: ['email'] }))
    const kinds = batches.map(({ requests, indexes, parts }) => [
      requests.map(({ endpointPath }) => endpointPath?.replace('/api/profile-', '')),
      indexes,
      parts.map((each) => each.map(({ index }) => index)),
    ])
    expect(kinds).toEqual([
      [
        ['import', 'import', 'subscription-bulk-create-jobs'],
        [0, 2],
        [[0], [2], [0, 2]],
      ],
      [['import', 'subscription-bulk-delete-jobs'], [1], [[1], [1]]],
    ])
  })
})

describe('mappings of Klaviyo', () => {
  const errorOf = (event: Event, given: JsonObject = {}) => {
    const mapped = mapEvent(klaviyo, event, settingsOf(given), context)
    return 'errorType' in mapped ? mapped.errorType : undefined
  }
  const cases: readonly { readonly name: string; readonly event: Event; readonly settings?: JsonObject }[] = [
    { name: 'a phone number without a country', event: { type: 'identify', traits: { phone: '0301234' } } },
    { name: 'a name that is no text', event: { type: 'track', event: 5, userId: 'u1' } },
    { name: 'a value that is no number', event: { type: 'track', event: 'Sale', properties: { revenue: 'free' } } },
    { name: 'a group event that does not say whether to subscribe', event: { type: 'group', groupId: 'l1' } },
    {
      name: 'a person without an address at the old revision, if the settings need one',
      event: { type: 'track', event: 'Read', userId: 'u1' },
      settings: { apiVersion: 'v1', enforceEmailAsPrimary: true },
    },
  ]
  for (const { name, event, settings } of cases) {
    it(`refuse ${name}`, () => expect(errorOf(event, settings)).toBe('instrumentation'))
  }
})
