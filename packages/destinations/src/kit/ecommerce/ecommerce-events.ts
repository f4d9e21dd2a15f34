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

/** Returns the name of an event as the specification has it in lower case: `Order_Completed` is `order completed`. */
export function specifiedName(name: JsonValue | undefined): string {
  return typeof name === 'string'
    ? name
        .trim()
        .toLowerCase()
        .replace(/[\s_-]+/g, ' ')
    : ''
}

/** Returns the e-commerce event that a name stands for, whatever its case and separators; undefined for other events. */
export function ecommerceEventOf(name: JsonValue | undefined): EcommerceEvent | undefined {
  const specified = specifiedName(name)
  return known.has(specified) ? (specified as EcommerceEvent) : undefined
}

const known: ReadonlySet<string> = new Set(ecommerceEvents)
