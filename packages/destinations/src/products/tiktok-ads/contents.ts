import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { convert, mapping, productsOf, type Rule, to } from '../../kit/index.ts'

const content: readonly Rule[] = [
  to('content_id').from('product_id').as(convert.text),
  to('content_category').from('category'),
  to('content_name').from('name'),
  to('price').from('price'),
  to('quantity').from('quantity'),
  to('brand').from('brand'),
]

const contentOf = {
  v1: mapping([...content, to('content_type').from('contentType', 'content_type').or('product')]),
  v2: mapping(content),
}

/** Returns the contents of an event: its property `contents`, otherwise its products; undefined if it has neither. */
export function contentsOf({ properties }: JsonObject, version: keyof typeof contentOf): JsonValue | undefined {
  if (!isJsonObject(properties)) return undefined
  const { contents, products } = properties
  if (contents) return Array.isArray(contents) ? contents : [contents]
  if (!Array.isArray(products)) return undefined
  return productsOf(properties).map((product) => contentOf[version](product, {}) as JsonObject)
}
