import type { JsonObject } from '@sluice/core'
import {
  configurationError,
  convert,
  type DeletionRule,
  instrumentationError,
  isMappingError,
  json,
  type MappingError,
} from '../../kit/index.ts'

const callbacksMax = 3 // source: OpenDSR, status_callback_urls

/**
 * Deletes users by the first of the identifiers below that they have.
 *
 * Source: AppsFlyer docs, OpenDSR API; recorded behaviour of RudderStack's af destination.
 */
export const appsflyerDeletion: DeletionRule = {
  usersMax: 1,
  concurrency: 4,
  requests([user = {}], settings, { now, requestId }) {
    const { apiToken, appleAppId, androidAppId, statusCallbackUrls } = settings
    if (!apiToken || !(appleAppId || androidAppId))
      return configurationError('apiToken and one of appleAppId and androidAppId are needed to delete users')
    const callbacks = convert.text(statusCallbackUrls ?? '').split(',')
    if (callbacks.length > callbacksMax)
      return configurationError(`statusCallbackUrls must be at most ${callbacksMax} addresses`)
    const subject = subjectOf(user, settings)
    if (isMappingError(subject)) return subject
    const { type, property } = subject
    const urls = callbacks.map((url) => url.trim()).filter((url) => url !== '')
    const request = json({
      method: 'POST',
      endpoint: 'https://hq1.appsflyer.com/api/gdpr/v1/opendsr_request',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${apiToken}` },
      body: {
        subject_request_type: 'erasure',
        subject_identities: [
          { identity_format: 'raw', identity_type: type, identity_value: convert.text(user[type] ?? '') },
        ],
        ...(urls.length > 0 ? { status_callback_urls: urls } : {}),
        property_id: property,
        subject_request_id: requestId,
        submitted_time: new Date(now).toISOString(),
      },
    })
    return [request]
  },
  examples: [
    {
      title: 'a user is deleted by the id of a device',
      users: [{ userId: 'u1', ios_advertising_id: 'idfa' }],
      settings: { apiToken: 'token', appleAppId: '123456789', statusCallbackUrls: 'https://callback.test/a' },
      context: { now: Date.UTC(2024, 0), requestId: '97fcd7b2-cc24-47d7-b776-057b7b199513' },
      requests: [
        json({
          method: 'POST',
          endpoint: 'https://hq1.appsflyer.com/api/gdpr/v1/opendsr_request',
          headers: { 'Content-Type': 'application/json', Authorization: 'Bearer token' },
          body: {
            subject_request_type: 'erasure',
            subject_identities: [
              { identity_format: 'raw', identity_type: 'ios_advertising_id', identity_value: 'idfa' },
            ],
            status_callback_urls: ['https://callback.test/a'],
            property_id: '123456789',
            subject_request_id: '97fcd7b2-cc24-47d7-b776-057b7b199513',
            submitted_time: '2024-01-01T00:00:00.000Z',
          },
        }),
      ],
    },
    {
      title: 'a user without an AppsFlyer identifier is refused',
      users: [{ userId: 'u1' }],
      settings: { apiToken: 'token', appleAppId: '123456789' },
      error: instrumentationError(
        'one of appsflyer_id, ios_advertising_id, android_advertising_id is needed to delete a user',
      ),
    },
    {
      title: 'a user with an Android device needs androidAppId',
      users: [{ android_advertising_id: 'gaid' }],
      settings: { apiToken: 'token', appleAppId: '123456789' },
      error: configurationError('androidAppId is needed to delete by android_advertising_id'),
    },
  ],
}

/** Identifiers that AppsFlyer supports, each with the setting that contains its app. */
const identifiers = [
  { type: 'appsflyer_id', apps: ['androidAppId', 'appleAppId'] },
  { type: 'ios_advertising_id', apps: ['appleAppId'] },
  { type: 'android_advertising_id', apps: ['androidAppId'] },
] as const

function subjectOf(
  user: JsonObject,
  settings: JsonObject,
): { readonly type: string; readonly property: string } | MappingError {
  const known = identifiers.find(({ type }) => user[type])
  if (!known) {
    const types = identifiers.map(({ type }) => type)
    return instrumentationError(`one of ${types.join(', ')} is needed to delete a user`)
  }
  const [property] = known.apps.flatMap((app) => settings[app] || [])
  if (!property) return configurationError(`${known.apps.join(' or ')} is needed to delete by ${known.type}`)
  return { type: known.type, property: convert.text(property) }
}
