import type { Event, JsonObject } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { heap } from '../../products/heap/heap.ts'
import { createEventFilter } from './event-filter.ts'

const track: Event = { type: 'track', event: 'Order Placed' }
const integrations = (object: JsonObject): Event => ({ ...track, integrations: object })
const denying = (ids: string[], more: JsonObject = {}): Event => ({
  ...track,
  context: { consentManagement: { deniedConsentIds: ids, ...more } },
})

const unwanted = 'not wanted by the integrations object'
const listed = (option: string, ...names: string[]): JsonObject => ({
  eventFilteringOption: option,
  [option]: names.map((eventName) => ({ eventName })),
})
const custom = (resolutionStrategy: string): JsonObject => ({
  consentManagement: [{ provider: 'custom', resolutionStrategy, consents: [{ consent: 'a' }, { consent: 'b' }] }],
})
const oneTrust: JsonObject = {
  consentManagement: [{ provider: 'oneTrust', consents: [{ consent: 'a' }, { consent: 'b' }] }],
}

const cases: { name: string; event: Event; settings?: JsonObject; want: string | undefined }[] = [
  { name: 'lets an event through that nobody objects to', event: track, want: undefined },
  { name: 'drops other message types', event: { type: 'page' }, want: 'message type not supported' },
  { name: 'drops with All: false', event: integrations({ All: false }), want: unwanted },
  {
    name: 'lets through what All: false excepts by type',
    event: integrations({ All: false, HEAP: true }),
    want: undefined,
  },
  {
    name: 'lets through what All: false excepts by display name, with options',
    event: integrations({ All: false, 'heap.IO': { a: 1 } }),
    want: undefined,
  },
  { name: 'drops what is switched off by name', event: integrations({ All: true, 'Heap.io': false }), want: unwanted },
  { name: 'minds no other names', event: integrations({ Slack: false, GA4: true }), want: undefined },
  {
    name: 'drops what is not on the allow list',
    event: track,
    settings: listed('whitelistedEvents', 'Seen'),
    want: 'event not on the allow list',
  },
  {
    name: 'takes what is on the allow list',
    event: track,
    settings: listed('whitelistedEvents', ' Order Placed '),
    want: undefined,
  },
  {
    name: 'drops an event without a name under an allow list',
    event: { type: 'track' },
    settings: listed('whitelistedEvents', ''),
    want: 'event not on the allow list',
  },
  {
    name: 'lists track events only',
    event: { type: 'identify' },
    settings: listed('whitelistedEvents', 'Seen'),
    want: undefined,
  },
  {
    name: 'drops what is on the deny list',
    event: track,
    settings: listed('blacklistedEvents', 'Order Placed'),
    want: 'event on the deny list',
  },
  {
    name: 'minds no list that is not chosen',
    event: track,
    settings: { ...listed('blacklistedEvents', 'Order Placed'), eventFilteringOption: 'disable' },
    want: undefined,
  },
  { name: 'needs no consent unless the settings say so', event: denying(['a']), want: undefined },
  {
    name: 'drops when any needed consent is denied',
    event: denying(['a'], { provider: 'oneTrust' }),
    settings: oneTrust,
    want: 'consent denied',
  },
  {
    name: 'lets the event choose that one consent is enough',
    event: denying(['a'], { provider: 'oneTrust', resolutionStrategy: 'or' }),
    settings: oneTrust,
    want: undefined,
  },
  {
    name: 'lets the settings of a custom provider decide, not the event',
    event: denying(['a'], { provider: 'custom', resolutionStrategy: 'or' }),
    settings: custom('and'),
    want: 'consent denied',
  },
  {
    name: 'takes one consent of a custom provider',
    event: denying(['a'], { provider: 'custom' }),
    settings: custom('or'),
    want: undefined,
  },
  {
    name: 'drops when all alternatives are denied',
    event: denying(['b', 'a'], { provider: 'custom' }),
    settings: custom('or'),
    want: 'consent denied',
  },
  {
    name: 'asks only the provider of the event',
    event: denying(['a'], { provider: 'ketch' }),
    settings: oneTrust,
    want: undefined,
  },
  {
    name: 'drops for one denied OneTrust category in old settings',
    event: denying(['a']),
    settings: { oneTrustCookieCategories: [{ oneTrustCookieCategory: 'a' }, { oneTrustCookieCategory: 'b' }] },
    want: 'consent denied',
  },
  {
    name: 'keeps to old settings when the event names their provider',
    event: denying(['a'], { provider: 'oneTrust' }),
    settings: { oneTrustCookieCategories: [{ oneTrustCookieCategory: 'a' }] },
    want: 'consent denied',
  },
  {
    name: 'lets the list of a provider replace its old settings',
    event: denying(['a'], { provider: 'oneTrust' }),
    settings: {
      consentManagement: [{ provider: 'oneTrust', consents: [{ consent: 'b' }] }],
      oneTrustCookieCategories: [{ oneTrustCookieCategory: 'a' }],
    },
    want: undefined,
  },
  {
    name: 'minds no old settings of another provider',
    event: denying(['a'], { provider: 'ketch' }),
    settings: { oneTrustCookieCategories: [{ oneTrustCookieCategory: 'a' }] },
    want: undefined,
  },
  {
    name: 'takes one Ketch purpose in old settings',
    event: denying(['a']),
    settings: { ketchConsentPurposes: [{ purpose: 'a' }, { purpose: 'b' }] },
    want: undefined,
  },
]

describe('what reaches a destination', () => {
  for (const { name, event, settings = {}, want } of cases) {
    it(name, () => expect(createEventFilter(heap, settings)(event)).toBe(want))
  }
})
