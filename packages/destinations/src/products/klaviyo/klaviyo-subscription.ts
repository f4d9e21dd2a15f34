import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { type DeliveryRequest, defined, instrumentationError, type MappingError, valueAt } from '../../kit/index.ts'
import { klaviyoRequest } from './klaviyo-request.ts'
import type { KlaviyoSettings } from './klaviyo-settings.ts'

/** Kinds of jobs that change the members of a list. They are the names of paths too. */
const jobs = { create: 'profile-subscription-bulk-create-job', delete: 'profile-subscription-bulk-delete-job' } as const

/** Returns whether a request subscribes or unsubscribes profiles. */
export function isSubscription({ endpointPath = '' }: DeliveryRequest): boolean {
  return endpointPath.startsWith('/api/profile-subscription-')
}

interface Subscription {
  readonly listId: JsonValue
  readonly isWanted: boolean
  readonly channels: JsonValue | undefined
  readonly profile: JsonObject
}

/** Returns the request of an identify event that subscribes or unsubscribes its user, if it wants either. */
export function subscriptionOf(event: JsonObject, profile: JsonObject, settings: KlaviyoSettings) {
  const wish = valueAt(event, ['traits', 'properties']) ?? valueAt(event, ['context', 'traits', 'properties'])
  if (!isJsonObject(wish)) return undefined
  const { subscribe, consent, listId: own } = wish
  const listId = own || settings.listId
  const isWanted = settings.apiVersion === 'v1' ? subscribe === true : typeof subscribe === 'boolean'
  if (!listId || !isWanted) return undefined
  return subscriptionRequest({ listId, isWanted: subscribe === true, channels: consent, profile }, settings)
}

/** Returns the request of a group event, whose group is the list. */
export function groupRequest(
  event: JsonObject,
  profile: JsonObject,
  settings: KlaviyoSettings,
): DeliveryRequest | MappingError {
  const listId = event['groupId']
  if (!listId) return instrumentationError('a group event needs a groupId, which is the id of the list')
  const subscribe = valueAt(event, ['traits', 'subscribe'])
  const isOld = settings.apiVersion === 'v1'
  if (isOld ? subscribe !== true : typeof subscribe !== 'boolean') {
    return instrumentationError('a group event needs the trait subscribe')
  }
  const own = valueAt(event, ['traits', 'consent']) ?? valueAt(event, ['context', 'traits', 'consent'])
  // The old revision takes the channels of groups from the settings only, as in RudderStack.
  const channels = isOld ? undefined : own
  return subscriptionRequest({ listId, isWanted: subscribe === true, channels, profile }, settings)
}

function subscriptionRequest(subscription: Subscription, settings: KlaviyoSettings): DeliveryRequest {
  const { isWanted, listId, profile } = subscription
  const { email, phone_number } = profile
  const person = defined({ email, phone_number })
  const channels = channelsOf(subscription, settings)
  const type = jobs[isWanted ? 'create' : 'delete']
  const path = `/api/${type}s`
  if (settings.apiVersion === 'v1') {
    const marketing = Object.fromEntries(channels.map((channel) => [channel, ['MARKETING']]))
    const attributes = {
      list_id: listId,
      subscriptions: [defined({ ...person, channels: channels.length > 0 ? marketing : undefined })],
    }
    return klaviyoRequest({ path, data: { type, attributes } }, settings)
  }
  const consent = { marketing: { consent: isWanted ? 'SUBSCRIBED' : 'UNSUBSCRIBED' } }
  // Revision v2 removes profiles from all channels, v3 from those that are named.
  const names = isWanted || settings.apiVersion === 'v3' ? channels : []
  const subscriptions = Object.fromEntries(names.map((channel) => [channel, consent]))
  const attributes = defined({ ...person, subscriptions: names.length > 0 ? subscriptions : undefined })
  const relationships = { list: { data: { type: 'list', id: listId } } }
  const profiles = { data: [{ type: 'profile', attributes }] }
  return klaviyoRequest({ path, data: { type, attributes: { profiles }, relationships } }, settings)
}

/** Returns the channels of a subscription for which the profile has an address. */
function channelsOf({ channels, profile }: Subscription, { consent }: KlaviyoSettings): readonly string[] {
  const wanted = Array.isArray(channels) || typeof channels === 'string' ? [channels].flat() : consent
  return [
    ...(wanted.includes('email') && profile['email'] !== undefined ? ['email'] : []),
    ...(wanted.includes('sms') && profile['phone_number'] !== undefined ? ['sms'] : []),
  ]
}
