import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { objectsIn, setMember, type TypedEvent, withoutMembers } from '../../kit/index.ts'
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
  const bought = event === 'Order Completed' ? orderFacts(properties) : saleFacts(properties)
  return JSON.stringify({ ...placedProperties(properties, settings), ...bought })
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

function saleFacts({ revenue, quantity, price }: JsonObject): JsonObject {
  return given({ af_revenue: revenue, af_quantity: quantity, af_price: price })
}

/** Returns the facts of an order. The lists of its products replace a single quantity and price. */
function orderFacts({ revenue, price, quantity, order_id, products }: JsonObject): JsonObject {
  const order = given({ af_revenue: revenue, af_price: price, af_quantity: quantity, af_order_id: order_id })
  const bought = objectsIn(products)
  if (bought.length === 0) return order
  const of = (name: string): JsonValue => bought.map((product) => product[name] ?? null)
  return { ...order, af_content_id: of('product_id'), af_quantity: of('quantity'), af_price: of('price') }
}

/** Returns the members that have a value. */
function given(members: Members): JsonObject {
  for (const key of Object.keys(members)) if (!members[key] && members[key] !== 0) delete members[key]
  return members
}
