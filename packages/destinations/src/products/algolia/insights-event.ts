import type { JsonObject, JsonValue } from '@sluice/core'
import {
  convert,
  defined,
  generic,
  instrumentationError,
  isMappingError,
  type MappingError,
  mapping,
  objectOrEmpty,
  objectsIn,
  to,
  valueAt,
} from '../../kit/index.ts'

/** Types of events in Algolia. */
export type EventKind = 'click' | 'view' | 'conversion'

const objectIdsMax = 20 // source: Algolia docs, Insights API (objectIDs)
const filtersMax = 10 // source: Algolia docs, Insights API (filters)

/** Fields that events of all types have. */
export const insightsFields = mapping([
  to('index').from('properties.index').required(),
  to('queryID').from('properties.queryId'),
  to('value').from('properties.value'),
  to('currency').from('properties.currency'),
  to('timestamp').from('properties.timestamp').as(convert.instant),
  to('userToken').from(generic.userId).as(convert.id).required(),
])

/** Events whose products Algolia learns about, in lower case. */
const productEvents: ReadonlySet<string> = new Set(['product list viewed', 'order completed'])

/** Subtypes of conversions. */
const subtypes: readonly unknown[] = ['addToCart', 'purchase']

/**
 * Returns an event of the Insights API.
 *
 * @param name name of the event in lower case.
 *
 * Source: RudderStack docs, Algolia destination; Algolia docs, Insights API; recorded behaviour of RudderStack's algolia
 * destination.
 */
export function insightsEvent(
  event: JsonObject,
  name: string,
  kind: EventKind,
  settings: JsonObject,
): JsonObject | MappingError {
  const fields = insightsFields(event, settings)
  if (isMappingError(fields)) return fields
  const targets = targetsOf(event, name, kind, fields['queryID'] !== undefined)
  if (isMappingError(targets)) return targets
  const base = { ...fields, ...targets, eventName: name, eventType: kind }
  if (kind !== 'conversion') return base
  const subtype = valueAt(event, ['properties', 'eventSubtype'])
  const objectData = productsOf(event, name).map(objectOf)
  const hasPrice = objectData.some(({ price }) => price !== undefined)
  if (hasPrice && !fields['currency']) return instrumentationError('products with prices need properties.currency')
  return defined({
    ...base,
    eventSubtype: subtypes.includes(subtype) ? subtype : undefined,
    objectData: objectData.length > 0 ? objectData : undefined,
  })
}

/** Returns the objects or the filters that an event is about, and for clicks the positions of the objects. */
function targetsOf(event: JsonObject, name: string, kind: EventKind, hasQuery: boolean): JsonObject | MappingError {
  const given = objectOrEmpty(event['properties'])
  const products = productsOf(event, name).filter(({ objectId }) => objectId)
  const isByProducts = products.length > 0
  const objectIDs = texts(
    isByProducts ? products.map(({ objectId = null }) => objectId) : given['objectIds'],
    objectIdsMax,
  )
  const filters = texts(given['filters'], filtersMax)
  if (objectIDs && filters) return instrumentationError('the event has objectIds and filters; Algolia accepts only one')
  if (!objectIDs) return filters ? { filters } : instrumentationError('the event needs objectIds or filters')
  if (kind !== 'click') return { objectIDs }
  const positions = integers(isByProducts ? products.map(({ position = null }) => position) : given['positions'])
  if (positions && positions.length !== objectIDs.length) {
    return instrumentationError('a click needs as many positions as objectIds')
  }
  if ((positions !== undefined) !== hasQuery) {
    return instrumentationError('a click needs either both positions and queryId, or neither')
  }
  return defined({ objectIDs, positions })
}

function productsOf({ properties }: JsonObject, name: string): readonly JsonObject[] {
  const products = productEvents.has(name) ? valueAt(properties, ['products']) : undefined
  return objectsIn(products)
}

/** Returns the facts of a product that was bought. Algolia takes prices as texts. */
function objectOf({ queryID, price, quantity, discount }: JsonObject): JsonObject {
  const count = convert.integer(quantity ?? '')
  return defined({
    queryID: queryID || undefined,
    price: price || price === 0 ? convert.text(price) : undefined,
    quantity: count,
    discount: discount || discount === 0 ? convert.text(discount) : undefined,
  })
}

function texts(values: JsonValue | undefined, max: number): readonly string[] | undefined {
  if (!Array.isArray(values)) return undefined
  const known = values.flatMap((value) => convert.id(value) ?? []).slice(0, max)
  return known.length === 0 ? undefined : known
}

function integers(values: JsonValue | undefined): readonly number[] | undefined {
  if (!Array.isArray(values) || values.length === 0) return undefined
  const known = values.filter((value): value is number => Number.isInteger(value))
  return known.length === values.length ? known.slice(0, objectIdsMax) : undefined
}
