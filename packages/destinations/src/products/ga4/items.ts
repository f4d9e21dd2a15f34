import type { JsonObject } from '@sluice/core'
import {
  convert,
  instrumentationError,
  isMappingError,
  type MappingError,
  mapping,
  type Rule,
  to,
} from '../../kit/index.ts'
import { limitsOf, type ParameterLimits, toParameters } from './parameters.ts'

const sameNames = [
  ...['affiliation', 'coupon', 'currency', 'discount', 'location_id'],
  ...['item_category2', 'item_category3', 'item_category4', 'item_category5', 'item_list_name'],
  ...['promotion_id', 'promotion_name', 'creative_name', 'creative_slot'],
]

/** Fields of a Google item from those of a product. */
const fields: readonly Rule[] = [
  to('item_id').from('properties.product_id', 'properties.item_id'),
  to('item_name').from('properties.name', 'properties.item_name'),
  to('item_category').from('properties.category', 'properties.item_category'),
  to('item_brand').from('properties.brand', 'properties.item_brand'),
  to('item_variant').from('properties.variant', 'properties.item_variant'),
  to('price').from('properties.price').as(convert.number),
  to('quantity').from('properties.quantity').as(convert.number),
  to('item_list_id').from('properties.item_list_id', 'properties.list_id'),
  to('index').from('properties.position', 'properties.index').as(convert.number),
  ...sameNames.map((name) => to(name).from(`properties.${name}`)),
]

export const itemMappings = {
  /** Maps an element of a list of products, keeping its other members. */
  listed: mapping([to().rest('properties').unmapped(), ...fields]),
  /** Maps the properties of an event about a single product. */
  lone: mapping(fields),
}

/** Properties that describe the product of an event about a single product. */
export const itemMembers: ReadonlySet<string> = new Set(
  fields.flatMap(({ value }) => (value.of === 'source' ? value.paths.flatMap((path) => path.slice(1)) : [])),
)

export function itemsOfProducts(
  products: readonly JsonObject[],
  settings: JsonObject,
): readonly JsonObject[] | MappingError {
  return identified(
    products.map((properties) => itemMappings.listed({ properties }, settings)),
    limitsOf(settings),
  )
}

export function itemOfProperties(properties: JsonObject, settings: JsonObject): readonly JsonObject[] | MappingError {
  return identified([itemMappings.lone({ properties }, settings)], limitsOf(settings))
}

function identified(
  mapped: readonly (JsonObject | MappingError)[],
  limits: ParameterLimits | undefined,
): readonly JsonObject[] | MappingError {
  const items: JsonObject[] = []
  for (const item of mapped) {
    if (isMappingError(item)) return item
    if (item['item_id'] === undefined && item['item_name'] === undefined) {
      return instrumentationError('One of product_id or name is required')
    }
    items.push(toParameters(item, limits))
  }
  return items
}
