import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import {
  ask,
  configurationError,
  convert,
  defineDestination,
  defined,
  everyType,
  firstAt,
  generic,
  instrumentationError,
  isKnown,
  isMappingError,
  type Mapped,
  type MappingContext,
  specifiedName,
  type TypedEvent,
  valueAt,
  verdictByStatus,
  withoutMembers,
} from '../../kit/index.ts'
import { attributesOf } from './braze-attributes.ts'
import { brazeBatch, mergesMax, paths, subscriptionsMax, trackedMax } from './braze-batch.ts'
import { brazeDeletion } from './braze-deletion.ts'
import { brazeExamples } from './braze-examples.ts'
import { brazeHost } from './braze-host.ts'
import { aliasOf, externalIdOf, optionsOf, personOf } from './braze-person.ts'
import { brazePurchases, purchaseMapping } from './braze-purchases.ts'
import { brazeRequest } from './braze-request.ts'
import { type BrazeSettings, brazeSettings } from './braze-settings.ts'
import { lineMapping, recommendedEvent, recommendedMappings } from './recommended-event.ts'
import { unknownAttributes } from './unknown-attributes.ts'

/**
 * Sends people, events, purchases and subscriptions to Braze.
 *
 * Source: RudderStack docs, Braze cloud mode; Braze docs, REST API; recorded behaviour of RudderStack's braze
 * destination.
 */
export const braze = defineDestination({
  type: 'BRAZE',
  displayName: 'Braze',
  otherNames: [],
  supports: everyType,
  settings: brazeSettings,
  secrets: ['restApiKey'],
  mappings: { ...recommendedMappings, line: lineMapping, purchase: purchaseMapping },
  requests(event, settings, context) {
    if (!settings.restApiKey || brazeHost(settings.dataCenter ?? '') === undefined) {
      return configurationError('restApiKey and dataCenter are needed to send events')
    }
    switch (event.type) {
      case 'identify':
        return identified(event, settings, context)
      case 'alias':
        return merged(event, settings)
      case 'group':
        return grouped(event, settings)
      default:
        return happened(event, settings, context)
    }
  },
  limits: [
    `A request has at most ${trackedMax.attributes} people, ${trackedMax.events} events and ${trackedMax.purchases} purchases.`,
    `Merges are sent ${mergesMax} at a time, subscriptions ${subscriptionsMax} at a time.`,
    'Braze names refused people and events in its reply. A request counts as delivered if it accepted a part.',
    'With supportDedup, the profile of each user is requested first. Events of one batch are not compared with each other.',
  ],
  batch: brazeBatch,
  respond: (reply) => {
    const errors = valueAt(reply.body, ['errors'])
    const verdict = verdictByStatus(reply)
    if (!Array.isArray(errors) || errors.length === 0) return verdict
    const message = `${verdict.message}: ${JSON.stringify(errors)}`
    // A request from which Braze took nothing: only its message says so.
    const isRefused = verdict.outcome === 'delivered' && valueAt(reply.body, ['message']) !== 'success'
    return isRefused ? { outcome: 'aborted', status: 400, message } : { ...verdict, message }
  },
  deletion: brazeDeletion,
  examples: brazeExamples,
})

/** Returns the person of an event with the attributes to send: all, or those that Braze does not have yet. */
function peopleOf(event: TypedEvent, settings: BrazeSettings, context: MappingContext) {
  const all = attributesOf(event, settings)
  const isAsked = settings.supportDedup && Object.keys(all).length > 0
  const attributes = isAsked ? unknownAttributes(event, all, settings, context) : all
  if (!isKnown(attributes)) return attributes
  return Object.keys(attributes).length > 0 ? [{ ...attributes, ...personOf(event) }] : []
}

function identified(event: TypedEvent, settings: BrazeSettings, context: MappingContext): Mapped {
  const [id, alias] = [externalIdOf(event), aliasOf(event)]
  if (id !== undefined && alias !== undefined) {
    const body = { aliases_to_identify: [{ user_alias: alias, external_id: id }], merge_behavior: 'merge' }
    const isDone = ask(context, {
      key: `identify ${JSON.stringify([alias, id])}`,
      request: brazeRequest('users/identify', body, settings),
      read: () => null,
      ttlMs: 0,
      changesData: true,
    })
    if (!isKnown(isDone)) return isDone
  }
  const attributes = peopleOf(event, settings, context)
  if (!isKnown(attributes)) return attributes
  if (attributes.length === 0) return instrumentationError('the event has no traits that Braze does not have')
  return brazeRequest(paths.track, { attributes }, settings, event)
}

const timeOf = firstAt(generic.timestamp)
const isText = (value: JsonValue | undefined): value is string => typeof value === 'string' && value !== ''
const nameOf = firstAt(['name', 'properties.name'], isText)

function happened(event: TypedEvent, settings: BrazeSettings, context: MappingContext): Mapped {
  const properties = event['properties'] ?? {}
  if (!isJsonObject(properties)) return instrumentationError('properties must be an object')
  const name = eventName(event)
  if (name === undefined) return instrumentationError('a track event needs a name')
  const attributes = peopleOf(event, settings, context)
  if (!isKnown(attributes)) return attributes
  const tracked = trackedOf(event, name, properties, settings)
  if (isMappingError(tracked)) return tracked
  const body = defined({
    partner: 'RudderStack',
    attributes: attributes.length > 0 ? attributes : undefined,
    ...tracked,
  })
  return brazeRequest(paths.track, body, settings, event)
}

function eventName(event: TypedEvent): string | undefined {
  if (event.type === 'page') return nameOf(event) ?? 'Page Viewed'
  if (event.type === 'screen') return nameOf(event) ?? 'Screen Viewed'
  const { event: name } = event
  return typeof name === 'string' || typeof name === 'number' ? convert.text(name) : undefined
}

function trackedOf(event: TypedEvent, name: string, properties: JsonObject, settings: BrazeSettings) {
  const { appId } = optionsOf(event)
  const shared = { time: timeOf(event), ...personOf(event), ...(appId !== undefined && { app_id: appId }) }
  const isTrack = event.type === 'track'
  const isRecommended = isTrack && settings.useEcommerceRecommendedEvents
  if (isTrack && !isRecommended && specifiedName(name) === 'order completed') {
    const purchases = brazePurchases(properties, shared, settings)
    return isMappingError(purchases) ? purchases : { purchases }
  }
  const recommended = isRecommended ? recommendedEvent(name, properties, platformOf(event), settings) : undefined
  const own = recommended ?? { name, properties: withoutMembers(properties, reserved) }
  return { events: [{ ...own, ...shared }] }
}

/** Names of properties that Braze does not accept. Source: Braze docs, Event object. */
const reserved: ReadonlySet<string> = new Set(['time', 'event_name'])

function platformOf(event: JsonObject): string {
  const system = convert.lower(valueAt(event, ['context', 'os', 'name']) ?? '')
  return system === 'ios' || system === 'android' ? system : 'web'
}

const groupIdOf = firstAt(generic.groupId)

function grouped(event: TypedEvent, settings: BrazeSettings): Mapped {
  const id = groupIdOf(event)
  if (!id) return instrumentationError('a group event needs a groupId')
  if (settings.enableSubscriptionGroupInGroupCall) return subscribed(id, event, settings)
  const attributes = [{ [`ab_rudder_group_${convert.text(id)}`]: true, ...personOf(event) }]
  return brazeRequest(paths.track, { attributes, partner: 'RudderStack' }, settings, event)
}

const emailOf = firstAt(generic.email)
const phoneOf = firstAt(generic.phone)

function subscribed(id: JsonValue, event: TypedEvent, settings: BrazeSettings): Mapped {
  const state = valueAt(event, ['traits', 'subscriptionState'])
  if (state !== 'subscribed' && state !== 'unsubscribed') {
    return instrumentationError('the trait subscriptionState must be subscribed or unsubscribed')
  }
  const [userId, email, phone] = [externalIdOf(event), emailOf(event), phoneOf(event)]
  if (!userId && !email && !phone) return instrumentationError('the event has no userId, email or phone')
  const group = defined({
    subscription_group_id: id,
    subscription_state: state,
    external_ids: userId ? [userId] : undefined,
    // Braze refuses a request with both.
    ...(phone ? { phones: [phone] } : email && { emails: [email] }),
  })
  return brazeRequest(paths.subscribe, { subscription_groups: [group] }, settings)
}

function merged(event: TypedEvent, settings: BrazeSettings): Mapped {
  const { userId, previousId } = event
  if (!userId || !previousId) return instrumentationError('an alias event needs a userId and a previousId')
  const update = { identifier_to_merge: { external_id: previousId }, identifier_to_keep: { external_id: userId } }
  return brazeRequest(paths.merge, { merge_updates: [update] }, settings, event)
}
