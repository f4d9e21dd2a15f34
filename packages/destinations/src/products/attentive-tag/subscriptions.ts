import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import {
  configurationError,
  type DeliveryRequest,
  defined,
  instrumentationError,
  isMappingError,
  type MappingError,
  type TypedEvent,
  valueAt,
} from '../../kit/index.ts'
import { attentiveRequest } from './attentive-request.ts'
import type { AttentiveTagSettings } from './attentive-tag-settings.ts'
import { attentiveOptions, contactOf, externalIdentifiersOf, unlessEmpty } from './attentive-user.ts'

/** Maps an identify event to a subscription, or to the end of subscriptions if its options say so. */
export function subscription(event: TypedEvent, settings: AttentiveTagSettings): DeliveryRequest | MappingError {
  const user = contactOf(event)
  if (Object.keys(user).length === 0) return instrumentationError('the event needs an email or a phone number')
  const { identifyOperation, subscriptions, notification } = attentiveOptions(event)
  if (typeof identifyOperation === 'string' && identifyOperation.trim().toLowerCase() === 'unsubscribe') {
    return ended(
      user,
      defined({ subscriptions: subscriptions || undefined, notification: notification || undefined }),
      settings,
    )
  }
  return begun(event, user, unlessEmpty({ externalIdentifiers: externalIdentifiersOf(event) }), settings)
}

/** Maps a `subscription_event`, whose properties list consents by channel. */
export function consentChange(
  event: TypedEvent,
  settings: AttentiveTagSettings,
): readonly DeliveryRequest[] | MappingError {
  const consents = valueAt(event, ['properties', 'channelConsents'])
  if (!Array.isArray(consents)) return instrumentationError('properties.channelConsents must be a list')
  const { email, phone } = contactOf(event)
  const given: Record<string, JsonValue> = {}
  const withdrawn: Record<string, JsonValue> = {}
  const subscriptions: JsonObject[] = []
  for (const { channel, consented, type } of consents.filter(isJsonObject)) {
    const [member, address, name] = channel === 'email' ? ['email', email, 'EMAIL'] : ['phone', phone, 'TEXT']
    if ((channel !== 'email' && channel !== 'sms') || !address || typeof consented !== 'boolean') continue
    const target = consented ? given : withdrawn
    target[member as string] = address
    if (!consented && type) subscriptions.push({ type, channel: name as string })
  }
  const requests: DeliveryRequest[] = []
  if (Object.keys(given).length > 0) {
    const request = begun(event, given, {}, settings)
    if (isMappingError(request)) return request
    requests.push(request)
  }
  if (Object.keys(withdrawn).length > 0) {
    const notification = valueAt(event, ['properties', 'notification'])
    const details = defined({
      subscriptions: subscriptions.length > 0 ? subscriptions : undefined,
      notification: notification || undefined,
    })
    requests.push(ended(withdrawn, details, settings))
  }
  return requests.length > 0
    ? requests
    : instrumentationError('properties.channelConsents has no consent to email or sms of a known user')
}

function begun(
  event: TypedEvent,
  user: JsonObject,
  details: JsonObject,
  settings: AttentiveTagSettings,
): DeliveryRequest | MappingError {
  const given = attentiveOptions(event)['signUpSourceId'] || valueAt(event, ['properties', 'signUpSourceId'])
  const signUpSourceId = given || settings.signUpSourceId
  return signUpSourceId
    ? attentiveRequest('/subscriptions', settings, { user, signUpSourceId, ...details })
    : configurationError('signUpSourceId is needed to subscribe users')
}

function ended(user: JsonObject, details: JsonObject, settings: AttentiveTagSettings): DeliveryRequest {
  return attentiveRequest('/subscriptions/unsubscribe', settings, { user, ...details })
}
