import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { convert, firstAt, productIdOf, productsOf } from '../../kit/index.ts'
import type { EventKind } from './event-kind.ts'

/** What an event is about, in the words of neither version of the API. */
export interface Content {
  readonly category: JsonValue | undefined
  readonly currency: JsonValue | undefined
  readonly value: JsonValue | undefined
  readonly itemCount: JsonValue | undefined
  /** One id, or those of a list of products. */
  readonly ids: JsonValue | undefined
  readonly search: JsonValue | undefined
  readonly transaction: JsonValue | undefined
}

const isBlank = (value: JsonValue | undefined): boolean => value === undefined || value === null || value === ''

const first = (...paths: readonly string[]) => firstAt(paths, (value) => !isBlank(value))

const categoryOf = first('item_category', 'category')
const amountOf = first('price', 'revenue', 'value')
const countOf = first('number_items', 'quantity')

export function contentOf(event: JsonObject, kind: EventKind): Content {
  const properties = isJsonObject(event['properties']) ? event['properties'] : {}
  const isListed = kind.isOfProducts === true && Array.isArray(properties['products'])
  return {
    category: categoryOf(properties),
    currency: properties['currency'] || undefined,
    value: amountOf(properties) || (isListed ? sumOf(properties) : undefined),
    itemCount: countOf(properties),
    ids: isListed
      ? productsOf(properties).flatMap((each) => productIdOf(each) ?? [])
      : properties['product_id'] || undefined,
    search: kind.isSearch ? properties['query'] || undefined : undefined,
    transaction: kind.transaction?.map((name) => properties[name]).find(Boolean),
  }
}

/** Returns the price of all products as text, because Snapchat documents amounts as text. */
function sumOf(properties: JsonObject): string {
  let sum = 0
  for (const { price, quantity } of productsOf(properties)) {
    sum += (convert.number(price ?? 0) ?? 0) * (convert.number(quantity ?? 1) ?? 1)
  }
  return String(sum)
}
