import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { defined } from '@sluice/core/defined'
import type { Static } from 'typebox'
import {
  chosenFor,
  configurationError,
  convert,
  defineDestination,
  type EcommerceEvent,
  ecommerceEventOf,
  firstAt,
  form,
  generic,
  instrumentationError,
  isMappingError,
  type MappingError,
  mapping,
  respondLikeMeta,
  type TypedEvent,
  to,
  valueAt,
} from '../../kit/index.ts'
import { type Content, listedProducts, oneProduct, order, search } from './content.ts'
import { facebookPixelExamples } from './facebook-pixel-examples.ts'
import { facebookPixelSettings } from './facebook-pixel-settings.ts'
import { hashedUser, user } from './hashed-user.ts'
import { ownProperties, withoutPersonalData } from './own-properties.ts'

type Settings = Static<typeof facebookPixelSettings>

const dayMs = 24 * 60 * 60_000
const aheadMsMax = 60_000

const actionSources = ['website', 'app', 'email', 'phone_call', 'chat', 'physical_store', 'system_generated', 'other']
const knownActionSources: ReadonlySet<JsonValue | undefined> = new Set([...actionSources, 'business_messaging'])

const serverEvent = mapping([
  to('event_time').from(generic.timestamp).as(convert.seconds).required(),
  to('event_source_url').from(generic.pageUrl),
  to('opt_out').from('properties.opt_out', 'traits.opt_out', 'context.traits.opt_out'),
  to('event_id').from('traits.event_id', 'context.traits.event_id', 'properties.event_id', 'messageId'),
])

/**
 * Sends events to a pixel of Meta through the Conversions API.
 *
 * Source: RudderStack docs, Facebook Pixel, cloud mode; Meta docs, Conversions API, parameters; recorded behaviour of
 * RudderStack's facebook_pixel destination.
 */
export const facebookPixel = defineDestination({
  type: 'FACEBOOK_PIXEL',
  displayName: 'Facebook Pixel',
  otherNames: ['FB Pixel'],
  supports: ['identify', 'page', 'screen', 'track'],
  settings: facebookPixelSettings,
  secrets: ['accessToken'],
  mappings: { serverEvent, hashedUser, user },
  requests(event, settings, { now }) {
    const data = dataOf(event, settings, now)
    if (isMappingError(data)) return data
    const { pixelId, accessToken, testDestination, testEventCode } = settings
    const test = testDestination ? { test_event_code: testEventCode } : {}
    return form({
      method: 'POST',
      endpoint: `https://graph.facebook.com/v25.0/${pixelId}/events?access_token=${accessToken}`,
      endpointPath: 'events',
      body: { data: [JSON.stringify(data)], ...test },
    })
  },
  respond: respondLikeMeta,
  limits: [
    'Meta accepts events that are at most 7 days old, those of a physical store 62 days, and at most one minute ahead.',
    'Personal data is hashed as UTF-8. RudderStack hashes letters beyond ASCII as Latin-1, which matches no user.',
    'Properties with personal data, such as email, are left out of events unless the settings say otherwise.',
  ],
  examples: facebookPixelExamples,
})

const timeOf = firstAt(generic.timestamp)
const isHashedBySender = firstAt(['integrations.FACEBOOK_PIXEL.hashed'])

function dataOf(event: TypedEvent, settings: Settings, now: number): JsonObject | MappingError {
  const named = nameAndContent(event, settings)
  if (isMappingError(named)) return named
  const actionSource = actionSourceOf(event)
  if (!knownActionSources.has(actionSource)) return instrumentationError('the action source is not one of Meta')
  const daysMax = actionSource === 'physical_store' ? 62 : 7
  const time = convert.milliseconds(timeOf(event) ?? null)
  if (time !== undefined && (now - time > daysMax * dayMs || time - now > aheadMsMax)) {
    return instrumentationError(`events must be at most ${daysMax} days old and at most one minute ahead`)
  }
  const about = serverEvent(event, settings)
  if (isMappingError(about)) return about
  const userData = (isHashedBySender(event) ? user : hashedUser)(event, settings)
  if (isMappingError(userData)) return userData
  const customData = event.type === 'identify' ? {} : customDataOf(event, named, settings)
  if (isMappingError(customData)) return customData
  return {
    user_data: userData,
    event_name: named.name,
    ...about,
    action_source: actionSource,
    ...dataProcessing(event, settings),
    ...customData,
  }
}

interface Named {
  readonly name: string
  /** Set for events that Meta knows: see `standardEvents`. */
  readonly isStandard: boolean
  readonly content?: Content
}

/** Standard events of Meta, by name. Source: Meta docs, Meta Pixel, standard events. */
const standardEvents: ReadonlyMap<string, Content | undefined> = new Map<string, Content | undefined>([
  ['ViewContent', listedProducts],
  ['AddToCart', oneProduct],
  ['Purchase', order],
  ['InitiateCheckout', order],
  ['Search', search],
  ...['AddPaymentInfo', 'AddToWishlist', 'CompleteRegistration', 'Contact', 'CustomizeProduct', 'Donate'].map(plain),
  ...['FindLocation', 'Lead', 'Schedule', 'StartTrial', 'SubmitApplication', 'Subscribe'].map(plain),
])

function plain(name: string): [string, undefined] {
  return [name, undefined]
}

/** Meta's names of the e-commerce events. */
const ecommerce: ReadonlyMap<EcommerceEvent | undefined, Named> = new Map<EcommerceEvent | undefined, Named>([
  ['product list viewed', { name: 'ViewContent', isStandard: true, content: listedProducts }],
  ['product viewed', { name: 'ViewContent', isStandard: true, content: oneProduct }],
  ['product added', { name: 'AddToCart', isStandard: true, content: oneProduct }],
  ['order completed', { name: 'Purchase', isStandard: true, content: order }],
  ['checkout started', { name: 'InitiateCheckout', isStandard: true, content: order }],
  ['products searched', { name: 'Search', isStandard: true, content: search }],
])

function nameAndContent(event: TypedEvent, settings: Settings): Named | MappingError {
  switch (event.type) {
    case 'identify':
      if (settings.advancedMapping) return { name: 'identify', isStandard: false }
      return configurationError('identify events need the setting advancedMapping')
    case 'track':
      return trackedName(event['event'], settings)
    default: {
      if (settings.standardPageCall) return { name: 'PageView', isStandard: true }
      const { name } = event
      return { name: name ? `Viewed ${event.type} ${convert.text(name)}` : `Viewed a ${event.type}`, isStandard: false }
    }
  }
}

function trackedName(event: JsonValue | undefined, settings: Settings): Named | MappingError {
  if (typeof event !== 'string' || event === '') return instrumentationError('the name of an event must be a text')
  const [chosen] = chosenFor(event, settings.eventsToEvents)
  const name = chosen ?? event
  if (standardEvents.has(name)) {
    const content = standardEvents.get(name)
    return defined({ name, isStandard: true, content })
  }
  return ecommerce.get(ecommerceEventOf(name)) ?? { name, isStandard: false }
}

function customDataOf(
  event: TypedEvent,
  { isStandard, content }: Named,
  settings: Settings,
): JsonObject | MappingError {
  const own = ownProperties(event)
  if (isStandard && Object.keys(own).length === 0) {
    return instrumentationError('a standard event needs properties besides opt_out, event_id and action_source')
  }
  const kept = withoutPersonalData(own, settings)
  const { properties } = event
  const added = content ? content(isJsonObject(properties) ? properties : {}, event, settings) : revenueOf(kept)
  return isMappingError(added) ? added : { custom_data: { ...kept, ...added } }
}

/** Returns the revenue under Meta's name. */
function revenueOf({ revenue }: JsonObject): JsonObject | MappingError {
  if (revenue === undefined || revenue === null || revenue === '') return {}
  const value = convert.twoDecimals(revenue)
  return value === undefined ? instrumentationError('the revenue is not a number') : { revenue: undefined, value }
}

const ownActionSource = firstAt(
  ['properties', 'traits', 'context.traits', 'context'].map((place) => `${place}.action_source`),
)

function actionSourceOf(event: JsonObject): JsonValue | undefined {
  const own = ownActionSource(event)
  if (own) return own
  return event['channel'] === 'web' ? 'website' : event['channel'] === 'mobile' ? 'app' : 'other'
}

function dataProcessing(event: JsonObject, { limitedDataUSage }: Settings): JsonObject {
  const options = limitedDataUSage ? valueAt(event, ['context', 'dataProcessingOptions']) : undefined
  if (!Array.isArray(options)) return {}
  const [own, country, state] = options
  return {
    data_processing_options: own,
    data_processing_options_country: country,
    data_processing_options_state: state,
  }
}
