import type { JsonValue } from '@sluice/core'

/** Names of the e-commerce events in lower case. Source: RudderStack docs, e-commerce events specification. */
export const ecommerceEvents = [
  ...['products searched', 'product list viewed', 'product list filtered'],
  ...['promotion viewed', 'promotion clicked'],
  ...['product clicked', 'product viewed', 'product added', 'product removed', 'cart viewed'],
  ...['checkout started', 'checkout step viewed', 'checkout step completed', 'payment info entered'],
  ...['order updated', 'order completed', 'order refunded', 'order cancelled'],
  ...['coupon entered', 'coupon applied', 'coupon denied', 'coupon removed'],
  ...['product added to wishlist', 'product removed from wishlist', 'wishlist product added to cart'],
  ...['product shared', 'cart shared', 'product reviewed'],
] as const

export type EcommerceEvent = (typeof ecommerceEvents)[number]

/** What a product calls some of the e-commerce events. */
export type EcommerceNames = Readonly<Partial<Record<EcommerceEvent, string>>>

/**
 * Returns the e-commerce event that a name stands for, as `specifiedName` writes it; undefined for other events.
 * @example
 * ```ts
 * import { ecommerceEventOf } from '@sluice/destinations/kit'
 *
 * console.log(ecommerceEventOf('Order_Completed'), ecommerceEventOf('Signed Up')) // order completed undefined
 * ```
 */
export function ecommerceEventOf(name: JsonValue | undefined): EcommerceEvent | undefined {
  return typeof name === 'string' ? known.get(specifiedName(name)) : undefined
}

const known: ReadonlyMap<string, EcommerceEvent> = new Map(ecommerceEvents.map((name) => [name, name]))

/**
 * Returns the name of an event as names are compared everywhere: in lower case, with blanks, `_` and `-` alike. `Order_Completed` becomes
 * `order completed`.
 * @example
 * ```ts
 * import { specifiedName } from '@sluice/destinations/kit'
 *
 * console.log(specifiedName('Order_Completed')) // order completed
 * ```
 */
export function specifiedName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
}
