import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import type { EventFilter } from './event-filter.ts'
import { sourcePlatform } from './source-platform.ts'

/** Consents that a destination needs, for one provider. */
interface Needed {
  readonly provider: string
  readonly ids: readonly string[]
  /**
   * Whether one of the consents is enough. Default: as the event says (`resolutionStrategy`), otherwise all are needed.
   */
  readonly anyIsEnough?: boolean
}

/** What applies to one kind of source. */
interface View {
  /** Key in the settings, such as `web`; undefined for what applies where settings have nothing of a kind. */
  readonly key: string | undefined
  readonly needed: readonly Needed[]
  readonly legacy: readonly Needed[]
}

/**
 * Creates a filter that drops events for a destination that the user denied consent to. The event lists denied consents
 * (`context.consentManagement.deniedConsentIds`). The settings list required ones (`consentManagement`, per provider,
 * or the older `oneTrustCookieCategories` and `ketchConsentPurposes`). The event passes if nothing is denied or nothing
 * is required. An event whose denials cannot be read is dropped.
 *
 * For a custom provider, the settings decide between `and` (every consent is needed) and `or` (one is enough). The
 * older settings apply when the event names no provider, or names theirs and the settings have no list for it: OneTrust
 * needs all categories, Ketch one purpose.
 *
 * Each setting is a list for all sources, or has one for each kind of source. When the kind of the source is not known,
 * each of these lists must let the event pass.
 *
 * @param settings with gates that can be read: see `unreadableGate`.
 *
 * Source: packages/docs/behaviour/mapping.md#consent; RudderStack docs, consent management.
 */
export function consentFilter(settings: JsonObject): EventFilter {
  const views = viewsOf(settings)
  if (views.every(isOpen)) return () => undefined
  const byType = new Map<string | undefined, readonly View[]>()
  const viewsFor = (sourceType: string | undefined): readonly View[] => {
    const known = byType.get(sourceType) ?? viewsOfType(views, sourceType)
    byType.set(sourceType, known)
    return known
  }

  return (event, sourceType) => {
    const context = event['context']
    const consent = isJsonObject(context) ? context['consentManagement'] : undefined
    if (consent === undefined || consent === null) return undefined
    const asked = viewsFor(sourceType).filter((view) => !isOpen(view))
    if (asked.length === 0) return undefined
    const denied = isJsonObject(consent) ? deniedIn(consent) : undefined
    if (denied === undefined) return 'consent cannot be read'
    return asked.some((view) => isDenied(view, denied)) ? 'consent denied' : undefined
  }
}

/** What the user of an event denied. */
interface Denied {
  readonly provider: string
  readonly ids: ReadonlySet<string>
  readonly anyIsEnough: boolean
}

/** @returns undefined when it cannot be read. */
function deniedIn({ provider, deniedConsentIds, resolutionStrategy }: JsonObject): Denied | undefined {
  const ids = deniedConsentIds ?? []
  const isText = (id: JsonValue): boolean => typeof id === 'string' || typeof id === 'number'
  if (!Array.isArray(ids) || !ids.every(isText) || typeof (provider ?? '') !== 'string') return undefined
  return {
    provider: String(provider ?? ''),
    ids: new Set(textsIn(ids.map(String))),
    anyIsEnough: resolutionStrategy === 'or',
  }
}

function isDenied({ needed, legacy }: View, denied: Denied): boolean {
  const isOf = ({ provider }: Needed): boolean => provider === denied.provider
  const asked = denied.provider === '' ? legacy : needed.some(isOf) ? needed.filter(isOf) : legacy.filter(isOf)
  return asked.some(({ ids, anyIsEnough = denied.anyIsEnough }) => {
    if (ids.length === 0) return false
    return anyIsEnough ? ids.every((id) => denied.ids.has(id)) : ids.some((id) => denied.ids.has(id))
  })
}

const isOpen = ({ needed, legacy }: View): boolean => [...needed, ...legacy].every(({ ids }) => ids.length === 0)

/** Returns a view for each kind of source in the settings, and one for all others. */
function viewsOf({ consentManagement, oneTrustCookieCategories, ketchConsentPurposes }: JsonObject): readonly View[] {
  const keys = new Set(
    [consentManagement, oneTrustCookieCategories, ketchConsentPurposes].flatMap((setting) =>
      isJsonObject(setting) ? Object.keys(setting) : [],
    ),
  )
  return [...keys, undefined].map((key) => ({
    key,
    needed: neededByProvider(listOf(consentManagement, key)),
    legacy: [
      {
        provider: 'oneTrust',
        ids: idsIn(listOf(oneTrustCookieCategories, key), 'oneTrustCookieCategory'),
        anyIsEnough: false,
      },
      { provider: 'ketch', ids: idsIn(listOf(ketchConsentPurposes, key), 'purpose'), anyIsEnough: true },
    ],
  }))
}

/** Kinds that are not known, of sources as of settings, may be the same. */
function viewsOfType(views: readonly View[], sourceType: string | undefined): readonly View[] {
  const platform = sourcePlatform(sourceType)
  const own = views.filter(({ key }) => platform !== undefined && sourcePlatform(key) === platform)
  const possible = views.filter(({ key }) => platform === undefined || sourcePlatform(key) === undefined)
  return own.length === 0 ? possible : [...own, ...possible.filter(({ key }) => key !== undefined)]
}

function listOf(setting: JsonValue | undefined, key: string | undefined): readonly JsonValue[] {
  const list = isJsonObject(setting) && key !== undefined ? setting[key] : setting
  return Array.isArray(list) ? list : []
}

function neededByProvider(list: readonly JsonValue[]): readonly Needed[] {
  return list.filter(isJsonObject).flatMap((entry): readonly Needed[] => {
    const { provider, consents, resolutionStrategy } = entry
    if (typeof provider !== 'string') return []
    const ids = idsIn(Array.isArray(consents) ? consents : [], 'consent')
    if (ids.length === 0) return []
    return [{ provider, ids, anyIsEnough: provider === 'custom' ? resolutionStrategy === 'or' : undefined }]
  })
}

/** Returns ids from a list of strings, or of objects with the member `key`. */
function idsIn(list: readonly JsonValue[], key: string): readonly string[] {
  return textsIn(list.map((entry) => (isJsonObject(entry) ? (entry[key] ?? null) : entry)))
}

function textsIn(list: readonly JsonValue[]): readonly string[] {
  return list
    .filter((entry) => typeof entry === 'string')
    .map((entry) => entry.trim())
    .filter(Boolean)
}
