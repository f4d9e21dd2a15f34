import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { defined, setMember } from '../../kit/index.ts'

/** Properties of a product under Branch's names. Source: RudderStack docs, Branch destination (property keys). */
const itemNames: ReadonlyMap<string, string> = new Map([
  ['title', '$og_title'],
  ['description', '$og_description'],
  ['image_url', '$og_image_url'],
  ['name', '$product_name'],
  ['brand', '$product_brand'],
  ['category', '$product_category'],
  ['variant', '$product_variant'],
  ['creating_timestamp', '$creation_timestamp'],
  ...[
    ...['canonical_identifier', 'publicly_indexable', 'locally_indexable', 'price', 'quantity', 'sku'],
    ...[
      'rating',
      'rating_average',
      'rating_count',
      'rating_max',
      'exp_date',
      'keywords',
      'image_captions',
      'condition',
    ],
    ...['address_street', 'address_city', 'address_region', 'address_country', 'address_postal_code'],
    ...['latitude', 'longitude'],
  ].map((name) => [name, `$${name}`] as const),
])

/** Properties of a purchase, which have the same names in Branch. Source: Branch docs, event_data. */
const saleNames: ReadonlySet<string> = new Set([
  ...['transaction_id', 'revenue', 'currency', 'shipping', 'tax', 'coupon', 'search_query'],
])

type Members = Record<string, JsonValue | undefined>

/**
 * Returns the details of an event as Branch divides them: a content item for each product and one for the event itself,
 * facts of the sale, and all other properties. Custom events have only other properties, and empty items. Properties of
 * products win over equally named ones of the event.
 */
export function eventDetails(properties: JsonObject, isStandard: boolean): JsonObject {
  const sale: Members = {}
  const custom: Members = {}
  const itemOf = (members: JsonObject): Members => {
    const item: Members = {}
    for (const key of Object.keys(members)) {
      const itemName = isStandard ? itemNames.get(key) : undefined
      if (itemName !== undefined) item[itemName] = members[key]
      else setMember(isStandard && saleNames.has(key) ? sale : custom, key, members[key])
    }
    return item
  }
  const { products, ...own } = properties
  const isList = Array.isArray(products)
  const ownItem = itemOf(isList ? own : properties)
  const items = isList ? products.filter(isJsonObject).map(itemOf) : []
  return defined({
    custom_data: Object.keys(custom).length > 0 ? custom : undefined,
    content_items: [...items, ownItem],
    event_data: Object.keys(sale).length > 0 ? sale : undefined,
  })
}
