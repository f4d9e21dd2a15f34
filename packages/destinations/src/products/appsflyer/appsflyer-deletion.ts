import type { JsonObject } from '@sluice/core'
import {
  configurationError,
  convert,
  type DeletionRule,
  defined,
  instrumentationError,
  isMappingError,
  json,
  type MappingError,
} from '../../kit/index.ts'
import { appsflyerDeletionExamples } from './appsflyer-examples.ts'

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
      body: defined({
        subject_request_type: 'erasure',
        subject_identities: [
          { identity_format: 'raw', identity_type: type, identity_value: convert.text(user[type] ?? '') },
        ],
        status_callback_urls: urls.length > 0 ? urls : undefined,
        property_id: property,
        subject_request_id: requestId,
        submitted_time: new Date(now).toISOString(),
      }),
    })
    return [request]
  },
  examples: appsflyerDeletionExamples,
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
