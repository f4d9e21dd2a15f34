import { chosenFor, specifiedName } from '../../kit/index.ts'

/** Events of the e-commerce specification, in lower case, and Branch's standard events for them. */
const names: Readonly<Record<string, string>> = {
  'product added': 'ADD_TO_CART',
  'product added to wishlist': 'ADD_TO_WISHLIST',
  'cart viewed': 'VIEW_CART',
  'checkout started': 'INITIATE_PURCHASE',
  'payment info entered': 'ADD_PAYMENT_INFO',
  'order completed': 'ADD_PAYMENT_INFO', // as in RudderStack; users can map it to PURCHASE
  'spend credits': 'SPEND_CREDITS',
  'promotion viewed': 'VIEW_AD',
  'promotion clicked': 'CLICK_AD',
  reserve: 'RESERVE',
  'products searched': 'SEARCH',
  'product viewed': 'VIEW_ITEM',
  'product list viewed': 'VIEW_ITEMS',
  'product reviewed': 'RATE',
  'product shared': 'SHARE',
  'initiate stream': 'INITIATE_STREAM',
  'complete stream': 'COMPLETE_STREAM',
  'complete registration': 'COMPLETE_REGISTRATION',
  'complete tutorial': 'COMPLETE_TUTORIAL',
  'achieve level': 'ACHIEVE_LEVEL',
  'unlock achievement': 'UNLOCK_ACHIEVEMENT',
  invite: 'INVITE',
  login: 'LOGIN',
  'start trial': 'START_TRIAL',
  subscribe: 'SUBSCRIBE',
}

const standard = new Set([...Object.values(names), 'PURCHASE'])
/** Standard events, also by their own names: `Purchase`, `add_to_cart`. */
const byName = new Map([
  ...[...standard].map((name): [string, string] => [specifiedName(name), name]),
  ...Object.entries(names),
])

/** Name of an event in Branch, and whether it is one of Branch's standard events. */
interface BranchName {
  readonly name: string
  readonly isStandard: boolean
}

/**
 * Returns the name that the settings map an event to, or else the standard event for it, or else its own name.
 *
 * Source: RudderStack docs, Branch destination (event mapping); Branch docs, standard events.
 */
export function branchName(
  event: string,
  eventsMapping: readonly { readonly from?: string; readonly to?: string }[],
): BranchName {
  const [mapped] = chosenFor(event, eventsMapping)
  const name = mapped ?? byName.get(specifiedName(event)) ?? event
  return { name, isStandard: standard.has(name) }
}
