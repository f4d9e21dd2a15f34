import {
  chosenFor,
  type EcommerceNames,
  ecommerceEventOf,
  instrumentationError,
  type MappingError,
  specifiedName,
  type TypedEvent,
} from '../../kit/index.ts'

/** What an event is for Snapchat. */
export interface EventKind {
  readonly type: string
  /** Set when the event is about a list of products. */
  readonly isOfProducts?: true
  readonly isSearch?: true
  /** Properties with the id of the transaction; the first one with a value counts. */
  readonly transaction?: readonly string[]
}

const ecommerce: EcommerceNames = {
  'products searched': 'SEARCH',
  'product list viewed': 'VIEW_CONTENT',
  'promotion viewed': 'AD_VIEW',
  'promotion clicked': 'AD_CLICK',
  'product viewed': 'VIEW_CONTENT',
  'product added': 'ADD_CART',
  'product added to wishlist': 'ADD_TO_WISHLIST',
  'checkout started': 'START_CHECKOUT',
  'payment info entered': 'ADD_BILLING',
  'order completed': 'PURCHASE',
}

/** Events of Snapchat that are recognised under their own names. Source: Snap docs, Conversions API, event types. */
const own: ReadonlySet<string> = new Set([
  ...['ACHIEVEMENT_UNLOCKED', 'ADD_BILLING', 'ADD_CART', 'ADD_TO_WISHLIST', 'AD_CLICK', 'AD_VIEW', 'APP_INSTALL'],
  ...[
    'APP_OPEN',
    'COMPLETE_TUTORIAL',
    'INVITE',
    'LEVEL_COMPLETE',
    'LIST_VIEW',
    'LOGIN',
    'PAGE_VIEW',
    'PURCHASE',
    'RATE',
  ],
  ...['RESERVE', 'SAVE', 'SEARCH', 'SHARE', 'SIGN_UP', 'SPENT_CREDITS', 'START_CHECKOUT', 'START_TRIAL', 'SUBSCRIBE'],
  ...['VIEW_CONTENT', 'CUSTOM_EVENT_1', 'CUSTOM_EVENT_2', 'CUSTOM_EVENT_3', 'CUSTOM_EVENT_4', 'CUSTOM_EVENT_5'],
])

interface NameSettings {
  readonly rudderEventsToSnapEvents: readonly { readonly from?: string | undefined; readonly to?: string | undefined }[]
}

/** Returns what an event is for Snapchat: as the settings say, otherwise by its name. */
export function kindOf(event: TypedEvent, settings: NameSettings): EventKind | MappingError {
  if (event.type === 'page') return { type: 'PAGE_VIEW' }
  const { event: name } = event
  if (typeof name !== 'string' || name === '') return instrumentationError('the event needs a name')
  const [chosen] = chosenFor(name, settings.rudderEventsToSnapEvents)
  const known = ecommerceEventOf(chosen ?? name)
  const type =
    (known && ecommerce[known]) ??
    specifiedName(chosen ?? name)
      .replaceAll(' ', '_')
      .toUpperCase()
  if (chosen === undefined && !own.has(type)) {
    return instrumentationError(`the event ${name} is not one of Snapchat; name one in the settings`)
  }
  switch (type) {
    case 'SEARCH':
      return { type, isSearch: true }
    case 'PURCHASE':
    case 'START_CHECKOUT':
      return { type, isOfProducts: true, transaction: ['order_id', 'orderId'] }
    case 'ADD_BILLING':
      return { type, transaction: ['checkout_id', 'transaction_id', 'transactionId'] }
    default:
      return known === 'product list viewed' ? { type, isOfProducts: true } : { type }
  }
}
