import { chosenFor, type EcommerceNames, ecommerceEventOf } from '../../kit/index.ts'

/** An event of Reddit. Custom events keep their own name. */
export interface TrackingType {
  readonly tracking_type: string
  readonly custom_event_name?: string
}

const ecommerce: EcommerceNames = {
  'products searched': 'Search',
  'product added': 'AddToCart',
  'product added to wishlist': 'AddToWishlist',
  'order completed': 'Purchase',
  'product viewed': 'ViewContent',
  'product list viewed': 'ViewContent',
}

interface NameSettings {
  readonly eventsMapping: readonly { readonly from?: string | undefined; readonly to?: string | undefined }[]
}

/** Returns Reddit's events for an event: those of the settings, otherwise one by its name. */
export function trackingTypesOf(event: string, { eventsMapping }: NameSettings): readonly TrackingType[] {
  const chosen = chosenFor(event, eventsMapping)
  if (chosen.length > 0) return chosen.map((tracking_type) => ({ tracking_type }))
  const specified = ecommerceEventOf(event)
  const known = specified && ecommerce[specified]
  return [known ? { tracking_type: known } : { tracking_type: 'Custom', custom_event_name: event }]
}

/** Returns the name that version 3 has for an event: `AddToCart` is `ADD_TO_CART`. */
export function typeOf3({ tracking_type: type, ...custom }: TrackingType): TrackingType {
  return { tracking_type: type.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase(), ...custom }
}
