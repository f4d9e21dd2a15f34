import type { JsonObject } from '@sluice/core'
import { compressed, convert, type DeliveryRequest, instrumentationError, jsonArray } from '../../kit/index.ts'
import type { MixpanelSettings } from './mixpanel-settings.ts'

/** Returns the API host of the project. */
export function hostOf({ dataResidency: region }: MixpanelSettings): string {
  return region === 'us' ? 'https://api.mixpanel.com' : `https://api-${region}.mixpanel.com`
}

/** Returns the distinct id of the user of an event; undefined if the event has no user. */
export function distinctIdOf({ userId, anonymousId }: JsonObject, settings: JsonObject): string | undefined {
  if (userId) return convert.text(userId)
  if (!anonymousId) return undefined
  return `${settings['identityMergeApi'] === 'simplified' ? '$device:' : ''}${convert.text(anonymousId)}`
}

export const noUser = instrumentationError('the event has neither userId nor anonymousId')

/** Returns when an event happened, in milliseconds since 1970: the first of its times that is a date. */
export function importTime({ timestamp, originalTimestamp }: JsonObject): number | undefined {
  const [first, second] = [timestamp, originalTimestamp].map((time) => (time ? convert.milliseconds(time) : undefined))
  return first ?? second
}

/**
 * Returns a request that imports one event, or updates the profile of a user (`engage`) or a group. Only imports need
 * credentials. Source: Mixpanel's API, Import Events, User Profiles and Group Profiles.
 */
export function mixpanelRequest(
  kind: 'import' | 'engage' | 'groups',
  { userId, anonymousId }: JsonObject,
  settings: MixpanelSettings,
  item: JsonObject,
): DeliveryRequest {
  const isImport = kind === 'import'
  const credentials: Record<string, string> = isImport ? { Authorization: convert.basicAuth(settings.token) } : {}
  const request = jsonArray({
    method: 'POST',
    endpoint: `${hostOf(settings)}/${kind}/`,
    headers: { 'Content-Type': 'application/json', ...credentials },
    // verbose makes Mixpanel include error messages in its replies.
    params: isImport ? { strict: settings.strictMode ? 1 : 0 } : { verbose: 2 },
    body: [item],
    userId: convert.text(userId || anonymousId || ''),
    endpointPath: kind,
  })
  return isImport ? compressed(request, settings) : request
}
