import type { JsonObject } from '@sluice/core'
import {
  chosenFor,
  type EcommerceNames,
  ecommerceEventOf,
  instrumentationError,
  type MappingError,
  type TypedEvent,
} from '../../kit/index.ts'

/** Names of the API for those of the settings. Source: Pinterest docs, API for conversions, event names. */
const names: ReadonlyMap<string, string> = new Map([
  ['AddToCart', 'add_to_cart'],
  ['Checkout', 'checkout'],
  ['Custom', 'custom'],
  ['Lead', 'lead'],
  ['PageVisit', 'page_visit'],
  ['Search', 'search'],
  ['Signup', 'signup'],
  ['ViewCategory', 'view_category'],
  ['WatchVideo', 'watch_video'],
])

const ecommerce: EcommerceNames = {
  'product added': 'add_to_cart',
  'order completed': 'checkout',
  'product list filtered': 'search',
  'products searched': 'search',
}

interface NameSettings {
  readonly eventsMapping: readonly { readonly from?: string | undefined; readonly to?: string | undefined }[]
  readonly sendAsCustomEvent: boolean
}

/** Returns Pinterest's names of an event: at least one, several if the settings list the event several times. */
export function eventNamesOf(event: TypedEvent, settings: NameSettings): readonly string[] | MappingError {
  switch (event.type) {
    case 'page':
      return [event['category'] ? 'view_category' : 'page_visit']
    case 'screen':
      return namesOfText(event['name'], settings)
    default:
      return namesOfText(event['event'], settings)
  }
}

function namesOfText(name: JsonObject[string], { eventsMapping, sendAsCustomEvent }: NameSettings) {
  if (typeof name !== 'string' || name === '') return instrumentationError('the event has no name, or it is not a text')
  const chosen = chosenFor(name, eventsMapping)
  if (chosen.length > 0) return chosen.map((to) => names.get(to) ?? to)
  const specified = ecommerceEventOf(name)
  const known = specified && ecommerce[specified]
  return [known ?? (sendAsCustomEvent ? 'custom' : name)]
}
