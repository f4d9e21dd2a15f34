import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import {
  type EcommerceEvent,
  ecommerceEventOf,
  objectsIn,
  setMember,
  type TypedEvent,
  withoutMembers,
} from '../../kit/index.ts'
import type { AppsflyerSettings } from './appsflyer-settings.ts'

type Members = Record<string, JsonValue | undefined>

/**
 * Returns the value of an event, which AppsFlyer takes as JSON text; '' when the event has no properties. Track events
 * get AppsFlyer's own names for what was bought; their other properties are in an object, unless the settings put them
 * at the root.
 *
 * Source: AppsFlyer docs, server-to-server events API (eventValue) and in-app event parameters; recorded behaviour of
 * RudderStack's af destination.
 */
export function eventValue({ type, event, properties }: TypedEvent, settings: AppsflyerSettings): string {
  if (!isJsonObject(properties)) return ''
  if (type !== 'track') return JSON.stringify(properties)
  const { currency } = properties
  return JSON.stringify({
    ...placedProperties(properties, settings),
    ...ownFacts(event, properties),
    ...(settings.afCurrencyAtRoot && currency && { af_currency: currency }),
  })
}

function placedProperties(properties: JsonObject, settings: AppsflyerSettings): JsonObject {
  if (settings.addPropertiesAtRoot) return properties
  const placed: Members = {}
  const atRoot = new Set<string>()
  for (const { property } of settings.listOfProps) {
    if (property === undefined || !Object.hasOwn(properties, property)) continue
    atRoot.add(property)
    setMember(placed, property, properties[property])
  }
  placed['properties'] = withoutMembers(properties, atRoot)
  return placed
}

/** What AppsFlyer calls the facts of an event, and the properties that have them. */
const price = { af_price: 'price' }
const item = { ...price, af_content_type: 'category', af_content_id: 'product_id' }
const order = { af_revenue: 'revenue', ...item, af_quantity: 'quantity', af_order_id: 'order_id' }

/** Facts of e-commerce events. Source: RudderStack docs, AppsFlyer, track; AppsFlyer docs, in-app event parameters. */
const factsOf: Readonly<Partial<Record<EcommerceEvent, Readonly<Record<string, string>>>>> = {
  'product viewed': item,
  'product added to wishlist': { ...item, af_quantity: 'quantity' },
  'wishlist product added to cart': { ...item, af_quantity: 'quantity' },
  'checkout started': { ...item, af_quantity: 'quantity' },
  'product removed': order,
  'order completed': order,
  'products searched': { af_search_string: 'query' },
}
/** Facts of other events. */
const saleFacts = { af_revenue: 'revenue', af_quantity: 'quantity', ...price }

/** Returns the facts of a track event under AppsFlyer's names. The lists of its products replace a single one. */
function ownFacts(event: JsonValue | undefined, properties: JsonObject): JsonObject {
  const known = ecommerceEventOf(event)
  const names = known && factsOf[known]
  const facts = given(
    Object.fromEntries(Object.entries(names ?? saleFacts).map(([name, from]) => [name, properties[from]])),
  )
  const products = names && 'af_content_id' in names ? objectsIn(properties['products']) : []
  if (products.length === 0) return facts
  const of = (name: string): JsonValue => products.map((product) => product[name] ?? null)
  return { ...facts, af_content_id: of('product_id'), af_quantity: of('quantity'), af_price: of('price') }
}

/** Returns the members that have a value. */
function given(members: Members): JsonObject {
  for (const key of Object.keys(members)) if (!members[key] && members[key] !== 0) delete members[key]
  return members
}
