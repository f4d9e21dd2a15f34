import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { convert, firstAt, instrumentationError, type MappingError, productIdOf, productsOf } from '../../kit/index.ts'

/** What an event is about, in Meta's words. A failure means that the properties are not what Meta accepts. */
export type Content = (properties: JsonObject, event: JsonObject, settings: JsonObject) => JsonObject | MappingError

/** A list of products, or its category when it has none with an id. */
export const listedProducts: Content = (properties, event, settings) => {
  const { ids, contents } = contentsOf(productsOf(properties), properties)
  const category = categoryOf(properties)
  const isOfProducts = ids.length > 0
  const type = contentType(event, category, settings) ?? (isOfProducts ? 'product' : 'product_group')
  const ownIds = category === undefined ? [] : [category]
  return withAmount(properties['value'], (value) => ({
    content_ids: isOfProducts ? ids : ownIds,
    content_type: type,
    contents: isOfProducts ? contents : ownIds.map((id) => ({ id, quantity: 1 })),
    content_category: category,
    value,
    currency: currencyOf(properties),
  }))
}

/** The one product that was viewed or added. */
export const oneProduct: Content = (properties, event, settings) => {
  const isValue = settings['valueFieldIdentifier'] === 'properties.value'
  const { ids, contents } = contentsOf([properties], properties)
  const category = categoryOf(properties)
  return withAmount(isValue ? properties['value'] : properties['price'], (value) => ({
    content_ids: ids,
    content_type: contentType(event, category, settings) ?? 'product',
    content_name: properties['product_name'] || properties['name'] || '',
    content_category: category ?? '',
    currency: currencyOf(properties),
    value,
    contents,
  }))
}

/** The products of an order, or of one that is about to be placed. */
export const order: Content = (properties, event, settings) => {
  const { products } = properties
  if (products && !(Array.isArray(products) && products.length > 0 && products.every(isJsonObject))) {
    return instrumentationError('properties.products must be a list of objects that is not empty')
  }
  const { ids, contents } = contentsOf(productsOf(properties), properties)
  const category = categoryOf(properties)
  return withAmount(properties['revenue'], (value) => ({
    content_category: category,
    content_ids: ids,
    content_type: contentType(event, category, settings) ?? 'product',
    currency: currencyOf(properties),
    value,
    contents,
    num_items: ids.length,
  }))
}

export const search: Content = (properties) => {
  const { query } = properties
  if (query && typeof query !== 'string') return instrumentationError('properties.query must be a text')
  const { ids, contents } = contentsOf([properties], properties)
  return withAmount(properties['value'], (value) => ({
    content_ids: ids,
    content_category: categoryOf(properties) ?? '',
    value,
    contents,
    search_string: query,
    currency: currencyOf(properties),
  }))
}

function contentsOf(products: readonly JsonObject[], properties: JsonObject) {
  const ids: JsonValue[] = []
  const contents: JsonObject[] = []
  for (const product of products) {
    const id = productIdOf(product)
    if (id === undefined) continue
    ids.push(id)
    contents.push({
      id,
      quantity: product['quantity'] || properties['quantity'] || 1,
      item_price: product['price'] ?? properties['price'],
    })
  }
  return { ids, contents }
}

function withAmount(amount: JsonValue | undefined, build: (value: number) => JsonObject): JsonObject | MappingError {
  const value = convert.twoDecimals(amount || 0)
  return value === undefined ? instrumentationError('the value of the event is not a number') : build(value)
}

function currencyOf({ currency }: JsonObject): JsonValue {
  return currency || 'USD'
}

/** Returns the category; categories of a list are joined. */
function categoryOf({ category }: JsonObject): JsonValue | undefined {
  return Array.isArray(category) ? category.map((each) => convert.text(each)).join(',') : category || undefined
}

const ownContentType = firstAt(['integrations.FACEBOOK_PIXEL.contentType', 'properties.content_type'])
const firstProductCategory = firstAt(['properties.products.0.category'])

function contentType(event: JsonObject, category: JsonValue | undefined, settings: JsonObject): JsonValue | undefined {
  const own = ownContentType(event)
  if (own !== undefined) return own
  const { categoryToContent: pairs } = settings
  const wanted = category ?? firstProductCategory(event)
  if (wanted === undefined || !Array.isArray(pairs)) return undefined
  return pairs.filter(isJsonObject).find(({ from }) => from === wanted)?.['to'] || undefined
}
