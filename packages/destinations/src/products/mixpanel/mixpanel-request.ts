import type { JsonObject } from '@sluice/core'
import { compressed, convert, type DeliveryRequest, jsonArray } from '../../kit/index.ts'
import type { MixpanelSettings } from './mixpanel-settings.ts'

const hosts = {
  us: 'https://api.mixpanel.com',
  eu: 'https://api-eu.mixpanel.com',
  in: 'https://api-in.mixpanel.com',
} as const

/** Returns the API host of the project. */
export function hostOf({ dataResidency }: MixpanelSettings): string {
  return hosts[dataResidency]
}

/** Returns the distinct id of the user of an event; undefined if the event has no user. */
export function distinctIdOf(event: JsonObject, settings: JsonObject): string | undefined {
  const { userId, anonymousId } = event
  if (userId) return convert.text(userId)
  if (!anonymousId) return undefined
  return settings['identityMergeApi'] === 'simplified'
    ? `$device:${convert.text(anonymousId)}`
    : convert.text(anonymousId)
}

/** Returns a request that imports one event, with the token as credentials. Source: Mixpanel's API, Import Events. */
export function importRequest(source: JsonObject, settings: MixpanelSettings, event: JsonObject): DeliveryRequest {
  const request = jsonArray({
    method: 'POST',
    endpoint: `${hostOf(settings)}/import/`,
    headers: { 'Content-Type': 'application/json', Authorization: convert.basicAuth(settings.token) },
    params: { strict: settings.strictMode ? 1 : 0 },
    body: [event],
    userId: userIdOf(source),
    endpointPath: 'import',
  })
  return compressed(request, settings)
}

/**
 * Returns a request that updates the profile of a user (`engage`) or a group. Source: Mixpanel's API, User Profiles and
 * Group Profiles.
 */
export function profileRequest(
  kind: 'engage' | 'groups',
  source: JsonObject,
  settings: MixpanelSettings,
  update: JsonObject,
): DeliveryRequest {
  return jsonArray({
    method: 'POST',
    endpoint: `${hostOf(settings)}/${kind}/`,
    headers: { 'Content-Type': 'application/json' },
    params: { verbose: 2 }, // makes Mixpanel include error messages in its replies
    body: [update],
    userId: userIdOf(source),
    endpointPath: kind,
  })
}

function userIdOf({ userId, anonymousId }: JsonObject): string {
  return convert.text(userId || anonymousId || '')
}
