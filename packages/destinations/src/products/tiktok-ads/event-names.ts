import { chosenFor, type EcommerceNames, ecommerceEventOf, specifiedName } from '../../kit/index.ts'

/** Standard events of TikTok. Source: TikTok docs, Events API, supported standard events. */
const standard: readonly string[] = [
  ...['AddPaymentInfo', 'AddToCart', 'AddToWishlist', 'ApplicationApproval', 'ClickButton', 'CompletePayment'],
  ...['CompleteRegistration', 'Contact', 'CustomizeProduct', 'Download', 'FindLocation', 'InitiateCheckout', 'Lead'],
  ...['PlaceAnOrder', 'Purchase', 'Schedule', 'Search', 'StartTrial', 'SubmitApplication', 'SubmitForm', 'Subscribe'],
  'ViewContent',
]

const standardByLetters: ReadonlyMap<string, string> = new Map(standard.map((name) => [name.toLowerCase(), name]))

const ecommerce: EcommerceNames = {
  'product added to wishlist': 'AddToWishlist',
  'product added': 'AddToCart',
  'checkout started': 'InitiateCheckout',
  'payment info entered': 'AddPaymentInfo',
  'checkout step completed': 'CompletePayment',
  'order completed': 'PlaceAnOrder',
}

interface NameSettings {
  readonly eventsToStandard: readonly { readonly from?: string | undefined; readonly to?: string | undefined }[]
  readonly sendCustomEvents: boolean
}

/**
 * Returns TikTok's names of an event: those of the settings, otherwise that of a standard event, otherwise its own name
 * if custom events are sent. An empty list means that TikTok cannot take the event.
 */
export function eventNamesOf(event: string, { eventsToStandard, sendCustomEvents }: NameSettings): readonly string[] {
  const chosen = chosenFor(event, eventsToStandard)
  if (chosen.length > 0) return [...new Set(chosen)]
  const specified = ecommerceEventOf(event)
  const known = (specified && ecommerce[specified]) ?? standardByLetters.get(specifiedName(event).replaceAll(' ', ''))
  if (known !== undefined) return [known]
  return sendCustomEvents ? [event] : []
}
