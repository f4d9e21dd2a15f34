import type { Event, JsonObject } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { heap } from '../../products/heap/heap.ts'
import { slack } from '../../products/slack/slack.ts'
import { webhook } from '../../products/webhook/webhook.ts'
import type { DestinationDefinition } from '../define/define-destination.ts'
import { createEventFilter } from './create-event-filter.ts'

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

const cases: {
  name: string
  definition?: DestinationDefinition
  event: Event
  settings?: JsonObject
  sourceType?: string
  want: string | undefined
}[] = [
  { name: 'passes an event without objections', event: track, want: undefined },
  { name: 'drops other message types', event: { type: 'page' }, want: 'message type not supported' },
  { name: 'drops with All: false', event: integrations({ All: false }), want: unwanted },
  {
    name: 'passes with All: false when the type is enabled',
    event: integrations({ All: false, HEAP: true }),
    want: undefined,
  },
  {
    name: 'passes with All: false when the display name has options',
    event: integrations({ All: false, 'heap.IO': { a: 1 } }),
    want: undefined,
  },
  { name: 'drops when it is disabled by name', event: integrations({ All: true, 'Heap.io': false }), want: unwanted },
  { name: 'ignores other names', event: integrations({ Slack: false, GA4: true }), want: undefined },
  {
    name: 'drops an event that is not on the allow list',
    event: track,
    settings: listed('whitelistedEvents', 'Seen'),
    want: 'event not on the allow list',
  },
  {
    name: 'passes an event on the allow list',
    event: track,
    settings: listed('whitelistedEvents', ' Order Placed '),
    want: undefined,
  },
  {
    name: 'drops an event without a name when there is an allow list',
    event: { type: 'track' },
    settings: listed('whitelistedEvents', ''),
    want: 'event not on the allow list',
  },
  {
    name: 'applies lists only to track events',
    event: { type: 'identify' },
    settings: listed('whitelistedEvents', 'Seen'),
    want: undefined,
  },
  {
    name: 'drops an event on the deny list',
    event: track,
    settings: listed('blacklistedEvents', 'Order Placed'),
    want: 'event on the deny list',
  },
  {
    name: 'drops a listed event whose type is in another case',
    definition: slack,
    event: { ...track, type: 'TRACK' },
    settings: listed('blacklistedEvents', 'Order Placed'),
    want: 'event on the deny list',
  },
  {
    name: 'drops a type in another case where the definition says so',
    event: { ...track, type: 'TRACK' },
    want: 'message type not supported',
  },
  {
    name: 'passes any type where the definition says so',
    definition: webhook,
    event: { type: 'telemetry' },
    want: undefined,
  },
  {
    name: 'ignores a list that is not selected',
    event: track,
    settings: { ...listed('blacklistedEvents', 'Order Placed'), eventFilteringOption: 'disable' },
    want: undefined,
  },
  { name: 'requires no consent unless the settings do', event: denying(['a']), want: undefined },
  {
    name: 'drops when any required consent is denied',
    event: denying(['a'], { provider: 'oneTrust' }),
    settings: oneTrust,
    want: 'consent denied',
  },
  {
    name: 'lets the event decide that one consent is enough',
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
    name: 'accepts one consent for a custom provider',
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
    name: 'checks only the provider of the event',
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
    name: 'applies old settings when the event names their provider',
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
    name: 'ignores old settings of another provider',
    event: denying(['a'], { provider: 'ketch' }),
    settings: { oneTrustCookieCategories: [{ oneTrustCookieCategory: 'a' }] },
    want: undefined,
  },
  {
    name: 'needs all consents of a custom provider without a strategy, whatever the event says',
    event: denying(['a'], { provider: 'custom', resolutionStrategy: 'or' }),
    settings: { consentManagement: [{ provider: 'custom', consents: [{ consent: 'a' }, { consent: 'b' }] }] },
    want: 'consent denied',
  },
  ...(
    [
      ['Javascript', ['w'], 'consent denied'],
      ['Javascript', ['m'], undefined],
      ['AndroidKotlin', ['m'], 'consent denied'],
      ['Android', ['w'], undefined],
      ['iOS', ['w', 'm'], undefined],
      ['Something new', ['w'], 'consent denied'],
      [undefined, ['m'], 'consent denied'],
    ] as const
  ).map(([sourceType, denied, want]) => ({
    name: `applies the list for the kind of source to ${sourceType ?? 'a source without a type'}, ${denied} denied`,
    event: denying([...denied], { provider: 'oneTrust' }),
    settings: {
      consentManagement: {
        web: [{ provider: 'oneTrust', consents: [{ consent: 'w' }] }],
        android: [{ provider: 'oneTrust', consents: [{ consent: 'm' }] }],
      },
    },
    sourceType,
    want,
  })),
  {
    name: 'applies the list for a kind of source that is not known to every source',
    event: denying(['x'], { provider: 'oneTrust' }),
    settings: { consentManagement: { watch: [{ provider: 'oneTrust', consents: [{ consent: 'x' }] }] } },
    sourceType: 'Javascript',
    want: 'consent denied',
  },
  ...[{ deniedConsentIds: 'a' }, { deniedConsentIds: [{ id: 'a' }] }, { provider: 7 }, ['a'], 'a'].map((consent) => ({
    name: `drops an event whose denials are ${JSON.stringify(consent)}, where consents are needed`,
    event: { ...track, context: { consentManagement: consent } },
    settings: oneTrust,
    want: 'consent cannot be read',
  })),
  ...[{}, { deniedConsentIds: null }, null].map((consent) => ({
    name: `passes an event whose denials are ${JSON.stringify(consent)}`,
    event: { ...track, context: { consentManagement: consent } },
    settings: oneTrust,
    want: undefined,
  })),
  {
    name: 'reads a denied id that is a number',
    event: { ...track, context: { consentManagement: { deniedConsentIds: [1] } } },
    settings: { oneTrustCookieCategories: ['1'] },
    want: 'consent denied',
  },
  {
    name: 'accepts one Ketch purpose in old settings',
    event: denying(['a']),
    settings: { ketchConsentPurposes: [{ purpose: 'a' }, { purpose: 'b' }] },
    want: undefined,
  },
]

describe('event filter', () => {
  for (const { name, definition = heap, event, settings = {}, sourceType, want } of cases) {
    it(name, () => expect(createEventFilter(definition, settings)(event, sourceType)).toBe(want))
  }
})
