import type { JsonObject, JsonValue } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { builtInDestinations } from '../../built-in-destinations.ts'
import { webhook } from '../../products/webhook/webhook.ts'
import { publicDefinition } from '../define/registry/public-definition.ts'
import { maskSettings } from '../settings/mask-settings.ts'
import { parseSettings } from '../settings/parse-settings.ts'
import { createSchemaCheck as createPortableCheck } from '../settings/schema-check.portable.ts'
import { createEventFilter } from './create-event-filter.ts'
import { gateNames } from './gate-names.ts'
import { unreadableGate } from './unreadable-gate.ts'
import { gatesSchema } from './with-gates.ts'

const consents = [{ provider: 'custom', resolutionStrategy: 'or', consents: [{ consent: 'a' }, 'b'] }]
const good: readonly JsonObject[] = [
  { consentManagement: consents },
  { consentManagement: { web: consents, android: [] } },
  { consentManagement: [{ provider: 'ketch', resolutionStrategy: '', consents: [] }] },
  { consentManagement: [] },
  { consentManagement: {} },
  { oneTrustCookieCategories: [{ oneTrustCookieCategory: 'C1' }, { oneTrustCookieCategory: '' }] },
  { oneTrustCookieCategories: { web: ['C1'] } },
  { ketchConsentPurposes: [{ purpose: 'p' }] },
  { eventFilteringOption: 'whitelistedEvents', whitelistedEvents: [{ eventName: 'Seen' }] },
  { eventFilteringOption: 'disable', blacklistedEvents: [{ eventName: '' }] },
]

/** A form that cannot be read, and where. */
const bad: readonly (readonly [path: string, JsonValue])[] = [
  ['consentManagement', JSON.stringify(consents)],
  ['consentManagement', '{{ event.consents || "[]" }}'],
  ['consentManagement', true],
  ['consentManagement', null],
  ['consentManagement[0]', ['oneTrust']],
  ['consentManagement[0].provider', [{ provider: 'onetrust', consents: [] }]],
  ['consentManagement[0].provider', [{ consents: [] }]],
  ['consentManagement[0].consents', [{ provider: 'oneTrust', consents: 'a' }]],
  ['consentManagement[0].consents[0]', [{ provider: 'oneTrust', consents: [1] }]],
  ['consentManagement[0].consents[0].consent', [{ provider: 'oneTrust', consents: [{ id: 'a' }] }]],
  ['consentManagement[0].consents[0].consent', [{ provider: 'ketch', consents: [{ consent: '{{ a || "b" }}' }] }]],
  ['consentManagement[0].resolutionStrategy', [{ provider: 'custom', consents: [], resolutionStrategy: 'xor' }]],
  ['consentManagement.web', { web: 'a' }],
  ['consentManagement.web[0].provider', { web: [{ provider: 'none', consents: [] }] }],
  ['oneTrustCookieCategories', '[{"oneTrustCookieCategory":"C1"}]'],
  ['oneTrustCookieCategories[0].oneTrustCookieCategory', [{ purpose: 'p' }]],
  ['ketchConsentPurposes.web', { web: { purpose: 'p' } }],
  ['eventFilteringOption', 'allowlist'],
  ['eventFilteringOption', '{{ event.option || "disable" }}'],
  ['whitelistedEvents', '[{"eventName":"Seen"}]'],
  ['whitelistedEvents[0]', ['Seen']],
  ['blacklistedEvents', { web: [] }],
  ['blacklistedEvents[0].eventName', [{ eventName: 7 }]],
]
const nameIn = (path: string): string => path.replace(/[.[].*/, '')
const inFull = (settings: JsonObject): JsonObject => ({ webhookUrl: 'http://hook.test', ...settings })

describe('the gates of every type', () => {
  for (const definition of builtInDestinations)
    it(`are settings of ${definition.type}, and no secrets`, () => {
      const { settings, secretKeys } = publicDefinition(definition)
      const shown = Object(settings['properties']) as Readonly<Record<string, { readonly title?: string }>>
      for (const name of gateNames) {
        expect(shown[name]).toMatchObject({ title: expect.any(String), description: expect.any(String) })
        expect(secretKeys.filter((path) => path.startsWith(name))).toEqual([])
      }
    })

  for (const settings of good)
    it(`may be ${JSON.stringify(settings)}`, () => {
      expect(parseSettings(webhook, inFull(settings))).toMatchObject({ ok: true, settings })
      expect(maskSettings(webhook, settings)).toEqual(settings)
      expect(unreadableGate(settings)).toBeUndefined()
      expect(createPortableCheck(gatesSchema)(settings)).toEqual([])
    })

  for (const [path, value] of bad)
    it(`may not be ${JSON.stringify({ [nameIn(path)]: value })}: reading says it, and nothing is delivered`, () => {
      const settings = { [nameIn(path)]: value }
      const parsed = parseSettings(webhook, inFull(settings))
      expect(!parsed.ok && parsed.problems).toContainEqual(
        expect.objectContaining({ path, allowed: expect.any(String) }),
      )
      expect(unreadableGate(settings)).toBe(nameIn(path))
      expect(createPortableCheck(gatesSchema)(settings).map(({ at }) => at[0])).toContain(nameIn(path))
      const filter = createEventFilter(webhook, settings)
      for (const event of [{ type: 'identify' }, { type: 'track', event: 'Seen' }])
        expect(filter(event)).toBe(`the setting ${nameIn(path)} cannot be read`)
    })
})
