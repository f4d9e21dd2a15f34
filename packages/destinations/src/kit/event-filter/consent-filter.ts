import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import type { EventFilter } from './event-filter.ts'

/** Consents that a destination needs, for one provider. */
interface Needed {
  readonly provider: string
  readonly ids: readonly string[]
  /**
   * Whether one of the consents is enough. Default: as the event says (`resolutionStrategy`), otherwise all are needed.
   */
  readonly anyIsEnough?: boolean
}

/**
 * Creates a filter that drops events for a destination that the user denied consent to. The event lists denied consents
 * (`context.consentManagement.deniedConsentIds`). The settings list required ones (`consentManagement`, per provider,
 * or the older `oneTrustCookieCategories` and `ketchConsentPurposes`). The event passes if nothing is denied or nothing
 * is required.
 *
 * For a custom provider, the settings decide between `and` (every consent is needed) and `or` (one is enough). The
 * older settings apply when the event names no provider, or names theirs and the settings have no list for it: OneTrust
 * needs all categories, Ketch one purpose.
 *
 * Source: packages/docs/behaviour/mapping.md#consent; RudderStack docs, consent management.
 */
export function consentFilter(settings: JsonObject): EventFilter {
  const needed = neededByProvider(settings['consentManagement'])
  const legacy: readonly Needed[] = [
    {
      provider: 'oneTrust',
      ids: idsIn(settings['oneTrustCookieCategories'], 'oneTrustCookieCategory'),
      anyIsEnough: false,
    },
    { provider: 'ketch', ids: idsIn(settings['ketchConsentPurposes'], 'purpose'), anyIsEnough: true },
  ]
  if ([...needed, ...legacy].every(({ ids }) => ids.length === 0)) return () => undefined

  return (event) => {
    const context = event['context']
    const consent = isJsonObject(context) ? context['consentManagement'] : undefined
    if (!isJsonObject(consent)) return undefined
    const denied = new Set(textsIn(consent['deniedConsentIds']))
    const { provider, resolutionStrategy } = consent
    const isOf = (each: Needed): boolean => each.provider === provider
    const isNamed = typeof provider === 'string' && provider !== ''
    const asked = !isNamed ? legacy : needed.some(isOf) ? needed.filter(isOf) : legacy.filter(isOf)
    const isDenied = asked.some(({ ids, anyIsEnough = resolutionStrategy === 'or' }) => {
      if (ids.length === 0) return false
      return anyIsEnough ? ids.every((id) => denied.has(id)) : ids.some((id) => denied.has(id))
    })
    return isDenied ? 'consent denied' : undefined
  }
}

function neededByProvider(list: JsonValue | undefined): readonly Needed[] {
  const entries: readonly JsonValue[] = Array.isArray(list) ? list : []
  return entries.filter(isJsonObject).flatMap((entry): readonly Needed[] => {
    const { provider, consents, resolutionStrategy } = entry
    if (typeof provider !== 'string') return []
    const ids = idsIn(consents, 'consent')
    if (ids.length === 0) return []
    const decides = provider === 'custom' && typeof resolutionStrategy === 'string'
    return [{ provider, ids, ...(decides && { anyIsEnough: resolutionStrategy === 'or' }) }]
  })
}

/** Returns ids from a list of strings, or of objects with the member `key`. */
function idsIn(list: JsonValue | undefined, key: string): readonly string[] {
  const entries: readonly JsonValue[] = Array.isArray(list) ? list : []
  return textsIn(entries.map((entry) => (isJsonObject(entry) ? (entry[key] ?? null) : entry)))
}

function textsIn(list: JsonValue | undefined): readonly string[] {
  const entries: readonly JsonValue[] = Array.isArray(list) ? list : []
  return entries
    .filter((entry) => typeof entry === 'string')
    .map((entry) => entry.trim())
    .filter(Boolean)
}
