/** An event as it arrived at a destination. */
export interface Arrived extends Readonly<Record<string, unknown>> {
  readonly type: string
  readonly messageId: string
}

/** Every call of the SDKs, in a page where `sdk` is loaded. */
export const calls = `
  sdk.identify('u1', { plan: 'pro' })
  sdk.track('Order Completed', { total: 42, products: [{ sku: 'a' }] })
  sdk.page('Shop', 'Home', { section: 'new' })
  sdk.group('g1', { name: 'Company' })
  sdk.alias('u2', 'u1')
`
/** What the calls say, in the order of the calls. */
export const wanted: readonly object[] = [
  { type: 'identify', userId: 'u1', plan: 'pro' },
  { type: 'track', userId: 'u1', event: 'Order Completed', total: 42, products: [{ sku: 'a' }] },
  { type: 'page', userId: 'u1', category: 'Shop', name: 'Home', section: 'new', title: 'Shop' },
  { type: 'group', userId: 'u1', groupId: 'g1', company: 'Company' },
  { type: 'alias', userId: 'u2', previousId: 'u1' },
]
/** The same for Segment's SDK, which also has screens, and sends the known user as `userId` of an alias. */
export const callsOfSegment = `${calls} sdk.screen('Shop', 'Start', { section: 'old' })`
export const wantedOfSegment: readonly object[] = [
  ...wanted.slice(0, -1),
  { type: 'alias', userId: 'u1', previousId: 'u1' },
  { type: 'screen', userId: 'u1', category: 'Shop', name: 'Start', section: 'old' },
]

/** What events say that arrived: the members of the calls. The two SDKs put traits of users into different places. */
export const said = (events: readonly Arrived[]): readonly object[] =>
  ofUsers(events).map(({ type, userId, event, category, name, properties, traits, context, groupId, previousId }) => {
    const { total, products, section, title } = (properties ?? {}) as Arrived
    const ofUser = type === 'identify' ? (traits ?? (context as Arrived)['traits']) : undefined
    const { plan } = (ofUser ?? {}) as Arrived
    const company = type === 'group' ? (traits as Arrived)['name'] : undefined
    const all = {
      type,
      userId,
      event,
      category,
      name,
      total,
      products,
      section,
      title,
      plan,
      groupId,
      company,
      previousId,
    }
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined && value !== null))
  })
/** Events by user, in the order of each. The order between users is not kept by anything. */
const ofUsers = (events: readonly Arrived[]) =>
  [...events].sort((a, b) => String(a['userId']).localeCompare(String(b['userId'])))

export const order = ['identify', 'track', 'page', 'group', 'alias', 'screen']
/** Events in the order of the calls, for SDKs that send each in a request of its own: they may overtake each other. */
export const byCall = (events: readonly Arrived[]) =>
  [...events].sort((a, b) => order.indexOf(a.type) - order.indexOf(b.type))
