import type { JsonObject } from '@sluice/core'
import { convert, firstAt, type Mapping, mapping, type Rule, specifiedName, to, valueAt } from '../../kit/index.ts'

/** How an event is sent to Google Analytics. */
export interface Ga4Event {
  readonly name: string
  /** Maps the parameters of the event before they are flattened. Properties that no rule reads are kept unchanged. */
  readonly parameters: Mapping
  readonly items: Ga4Items
}

/**
 * Where the items of an event come from:
 *
 * - `none`: Google knows none for it; products are sent as parameters
 * - `optional`: its products, if it has any
 * - `required`: its products; Google needs at least one
 * - `product`: its products, or else the one that its own properties describe
 */
type Ga4Items = 'none' | 'optional' | 'required' | 'product'

/** Properties that are sent elsewhere in the request. */
const sentElsewhere = ['user_properties', 'engagementTimeMsec', 'sessionId', 'sessionNumber']

/** The page on which an event happened. A property of the same name overrides each. */
const page = [
  to('page_location').from('context.page.url'),
  to('page_referrer').from('context.page.referrer'),
  to('page_title').from('context.page.title'),
]

/** The page of a page call. Its properties count where servers, which know no `context.page`, send it; they stay parameters, too. */
const viewedPage = ['location', 'referrer', 'title'].map((name) => {
  const member = name === 'location' ? 'url' : name
  return to(`page_${name}`).compute(firstAt([`context.page.${member}`, `properties.${member}`]))
})

function ga4Event(name: string, rules: readonly Rule[] = [], items: Ga4Items = 'none', pageRules = page): Ga4Event {
  const others = to()
    .rest('properties')
    .unmapped()
    .without(...sentElsewhere, ...(items === 'none' ? [] : ['products']))
  return { name, parameters: mapping([...rules, ...pageRules, others]), items }
}

/** Returns the entry of an event for which Google recommends no name. The event keeps its own name. */
function customEvent(name: string): Ga4Event {
  return { name, parameters: custom, items: 'none' }
}

const custom = ga4Event('').parameters

const currency = to('currency').from('properties.currency').or('USD')
const worth = [
  currency,
  to('value').from('properties.total', 'properties.value', 'properties.revenue').as(convert.number),
]
/** Google requires the value of these. */
const cartWorth = [...worth, to('value').compute(priceTimesQuantity).when(hasNoWorth).required()]
const viewWorth = [
  currency,
  to('value')
    .from('properties.total', 'properties.price', 'properties.value', 'properties.revenue')
    .as(convert.number)
    .required(),
]
const numeric = (...names: readonly string[]) =>
  names.map((name) => to(name).from(`properties.${name}`).as(convert.number))

const list = [
  to('item_list_id').from('properties.item_list_id', 'properties.list_id'),
  to('item_list_name').from('properties.item_list_name', 'properties.category'),
]

const promotion = [
  to('creative_name').from('properties.creative_name', 'properties.creative'),
  to('creative_slot').from('properties.creative_slot', 'properties.position'),
  to('promotion_id').from('properties.promotion_id'),
  to('promotion_name').from('properties.promotion_name', 'properties.name'),
  to('location_id').from('properties.location_id'),
]

const order = [
  currency,
  to('transaction_id').from('properties.order_id', 'properties.transaction_id').required(),
  to('value').from('properties.total', 'properties.value', 'properties.revenue').as(convert.number),
  to('affiliation').from('properties.affiliation'),
  to('coupon').from('properties.coupon'),
  to('shipping').from('properties.shipping').as(convert.number),
  to('tax').from('properties.tax').as(convert.number),
]

const checkout = [...worth, to('coupon').from('properties.coupon')]
const payment = [...checkout, to('payment_type').from('properties.payment_type', 'properties.payment_method')]
const delivery = [...checkout, to('shipping_tier').from('properties.shipping_tier', 'properties.shipping_method')]

const share = ga4Event('share', [
  to('method').from('properties.method', 'properties.share_via'),
  to('item_id').from('properties.item_id', 'properties.product_id', 'properties.sku', 'properties.cart_id'),
])

const search = [to('search_term').from('properties.search_term', 'properties.query')]

const campaign = [
  to('campaign_id').from('context.campaign.id', 'properties.campaign_id'),
  to('campaign').from('context.campaign.name', 'properties.campaign'),
  ...['source', 'medium', 'term', 'content'].map((name) =>
    to(name).from(`context.campaign.${name}`, `properties.${name}`),
  ),
]

/**
 * Events that Google recommends names for, by their names in lower case with `_` for spaces.
 *
 * Sources: recorded behaviour of RudderStack's ga4 destination; RudderStack docs, e-commerce events; Google's docs, GA4
 * recommended events.
 */
const events: Readonly<Record<string, Ga4Event>> = {
  products_searched: ga4Event('search', search),
  product_list_viewed: ga4Event('view_item_list', list, 'required'),
  promotion_viewed: ga4Event('view_promotion', promotion, 'optional'),
  promotion_clicked: ga4Event('select_promotion', promotion, 'optional'),
  product_clicked: ga4Event('select_item', list, 'product'),
  product_viewed: ga4Event('view_item', viewWorth, 'product'),
  product_added: ga4Event('add_to_cart', cartWorth, 'product'),
  product_removed: ga4Event('remove_from_cart', cartWorth, 'product'),
  product_added_to_wishlist: ga4Event('add_to_wishlist', cartWorth, 'product'),
  cart_viewed: ga4Event('view_cart', worth, 'required'),
  checkout_started: ga4Event('begin_checkout', checkout, 'required'),
  payment_info_entered: ga4Event('add_payment_info', payment, 'required'),
  checkout_step_completed: ga4Event('add_shipping_info', delivery, 'required'),
  shipping_info_entered: ga4Event('add_shipping_info', delivery, 'required'),
  order_completed: ga4Event('purchase', order, 'required'),
  order_refunded: ga4Event('refund', order, 'optional'),
  product_shared: share,
  cart_shared: share,
  earn_virtual_currency: ga4Event('earn_virtual_currency', numeric('value')),
  generate_lead: ga4Event('generate_lead', worth),
  group: ga4Event('group'),
  level_up: ga4Event('level_up', numeric('level')),
  login: ga4Event('login'),
  post_score: ga4Event('post_score', numeric('score', 'level')),
  search: ga4Event('search', search),
  select_content: ga4Event('select_content'),
  share,
  sign_up: ga4Event('sign_up'),
  spend_virtual_currency: ga4Event('spend_virtual_currency', numeric('value')),
  tutorial_begin: ga4Event('tutorial_begin'),
  tutorial_complete: ga4Event('tutorial_complete'),
  unlock_achievement: ga4Event('unlock_achievement'),
  view_search_results: ga4Event('view_search_results', search, 'optional'),
  campaign_details: ga4Event('campaign_details', campaign),
}

/** Returns the entry of an event; an entry that keeps its name if Google recommends none. */
export function ga4EventOf(name: string): Ga4Event {
  const plain = name.trim().replace(/\s+/g, '_')
  return known.get(specifiedName(name).replaceAll(' ', '_')) ?? customEvent(plain)
}

const known = new Map(Object.entries(events))

/** Entry of group events. Traits of the user are sent too, and count before those of the group. */
export const joinGroup: Ga4Event = {
  name: 'join_group',
  parameters: mapping([
    to()
      .rest('traits')
      .unmapped()
      .without(...sentElsewhere),
    to()
      .rest('context.traits')
      .without(...sentElsewhere),
    to('group_id').from('groupId', 'traits.groupId', 'traits.group_id'),
  ]),
  items: 'none',
}

/** Entry of page events. */
export const pageView: Ga4Event = ga4Event('page_view', [], 'none', viewedPage)

function hasNoWorth(event: JsonObject): boolean {
  return ['total', 'value', 'revenue'].every(
    (name) => convert.number(valueAt(event, ['properties', name]) ?? null) === undefined,
  )
}

function priceTimesQuantity(event: JsonObject): number | undefined {
  const price = convert.number(valueAt(event, ['properties', 'price']) ?? null)
  const quantity = convert.number(valueAt(event, ['properties', 'quantity']) ?? 1)
  return price === undefined || quantity === undefined ? undefined : price * quantity
}
