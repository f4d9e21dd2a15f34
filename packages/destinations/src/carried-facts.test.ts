import type { Event, JsonObject, JsonValue } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { builtInDestinations } from './built-in-destinations.ts'
import { createDestinationRegistry, isMappingError, type MappingContext, mapEvent, parseSettings } from './index.ts'
import { sha256 } from './kit/convert/hash.ts'

const registry = createDestinationRegistry(builtInDestinations)
const timestamp = '2026-11-25T10:00:00.000Z'
const tokens = { access_token: 't', accessToken: 't', refresh_token: 'r', developer_token: 'd' }

/** Returns what a destination sends for an event: body or parameters; JSON inside of texts is read. */
function sent(type: string, settings: JsonObject, event: JsonObject, more: Partial<MappingContext> = {}): JsonValue {
  const definition = registry.get(type)
  if (!definition) throw new Error(`there is no ${type}`)
  const parsed = parseSettings(definition, settings)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  const whole = { messageId: 'm1', timestamp, originalTimestamp: timestamp, ...event } as Event
  const mapped = mapEvent(definition, whole, parsed.settings, { now: Date.parse(timestamp), tokens, ...more })
  if (isMappingError(mapped)) return { error: mapped.errorType }
  if (!Array.isArray(mapped)) throw new Error('it asks the destination')
  return read(mapped.map(({ endpoint, params, body }) => ({ endpoint, params, ...body.JSON, ...body.FORM })))
}

function read(value: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(value), (_, each: JsonValue) =>
    typeof each === 'string' && /^[[{]/.test(each) ? read(JSON.parse(each) as JsonValue) : each,
  ) as JsonValue
}

const pixel = { pixelId: '1', accessToken: 'a' }
const android = { os: { name: 'Android' }, externalId: [{ type: 'appsflyerExternalId', id: 'af-9' }] }
const appsflyer = { devKey: 'k', androidAppId: 'com.a', addPropertiesAtRoot: true }
const limited = {
  device: { type: 'Android', id: 'd', advertisingId: 'gaid', adTrackingEnabled: false },
  os: { name: 'Android' },
}
const track = (event: string, properties: JsonObject = {}, more: JsonObject = {}): JsonObject => ({
  type: 'track',
  event,
  userId: 'u',
  anonymousId: 'a',
  properties,
  ...more,
})

/** Somewhere in what is sent, these members, and none of those. */
interface Case {
  readonly says: string
  readonly sent: () => JsonValue
  readonly has?: JsonObject
  readonly lacks?: readonly string[]
}

const cases: readonly Case[] = [
  {
    says: 'an id of AppsFlyer is no email at Facebook',
    sent: () => sent('FACEBOOK_PIXEL', pixel, track('Till Sale', { revenue: 9 }, { context: android })),
    lacks: ['em'],
  },
  {
    says: 'an id of AppsFlyer is no email at Iterable',
    sent: () => sent('ITERABLE', { apiKey: 'k' }, track('Till Sale', {}, { context: android })),
    has: { userId: 'u' },
    lacks: ['email'],
  },
  {
    says: 'the id that a row maps to the email is one',
    sent: () =>
      sent(
        'FACEBOOK_PIXEL',
        pixel,
        track(
          'Till Sale',
          { revenue: 9 },
          {
            context: { externalId: [{ type: 'X-users', id: 'ida@b.test', identifierType: 'email' }] },
          },
        ),
      ),
    has: { em: sha256('ida@b.test') },
  },
  {
    says: 'a phone number is hashed at Facebook as Meta documents it',
    sent: () =>
      sent('FACEBOOK_PIXEL', pixel, track('X', { a: 1 }, { context: { traits: { phone: '+1 (650) 555-1212' } } })),
    has: { ph: sha256('16505551212') },
  },
  {
    says: 'Facebook gets its choices from traits, and the ids of its leads',
    sent: () =>
      sent(
        'FACEBOOK_PIXEL',
        pixel,
        track(
          'X',
          { a: 1 },
          {
            context: { traits: { opt_out: true, action_source: 'physical_store' }, lead_id: 'l1' },
          },
        ),
      ),
    has: { opt_out: true, action_source: 'physical_store', lead_id: 'l1' },
  },
  {
    says: 'a sale in a shop may be two months old at Facebook',
    sent: () =>
      sent('FACEBOOK_PIXEL', pixel, {
        ...track('X', { action_source: 'physical_store', a: 1 }),
        timestamp: '2026-10-01T00:00:00.000Z',
        originalTimestamp: '2026-10-01T00:00:00.000Z',
      }),
    has: { action_source: 'physical_store' },
  },
  {
    says: 'Klaviyo gets all properties of a product, its street, and numbers in E.164',
    sent: () =>
      sent(
        'KLAVIYO',
        { privateApiKey: 'k', apiVersion: 'v1' },
        track(
          'product_viewed',
          { product_id: 'm', name: 'Mug', colour: 'red', currency: 'CHF' },
          { context: { traits: { phone: '+1 (650) 555-1212', address: { street: 'Gasse 1' } } } },
        ),
      ),
    has: {
      ProductName: 'Mug',
      ProductID: 'm',
      colour: 'red',
      currency: 'CHF',
      $address1: 'Gasse 1',
      $phone_number: '+16505551212',
    },
  },
  {
    says: 'Klaviyo gets all members of the products of an order that is begun',
    sent: () =>
      sent(
        'KLAVIYO',
        { privateApiKey: 'k', apiVersion: 'v1' },
        track('Checkout Started', {
          item_names: ['Mug'],
          products: [{ product_id: 'm', row_total: 9, product_categories: ['Mugs'], colour: 'red' }],
        }),
      ),
    has: {
      ItemNames: ['Mug'],
      Items: [{ ProductID: 'm', RowTotal: 9, ProductCategories: ['Mugs'], colour: 'red' }],
    },
  },
  {
    says: 'a conversion of Google Ads that is taken back names no person',
    sent: () =>
      sent(
        'GOOGLE_ADWORDS_ENHANCED_CONVERSIONS',
        { customerId: '123-456-7890', listOfConversions: [{ conversions: 'Paid' }] },
        track('Paid', { order_id: 'o1', adjustmentType: 'retraction' }, { context: { userAgent: 'x' } }),
      ),
    has: { adjustmentType: 'RETRACTION', orderId: 'o1' },
    lacks: ['userIdentifiers', 'userAgent', 'error'],
  },
  {
    says: 'options are found in every spelling of a product',
    sent: () =>
      sent(
        'KLAVIYO',
        { privateApiKey: 'k', apiVersion: 'v2' },
        track(
          'X',
          {},
          {
            context: { traits: { tags: 'new', email: 'a@b.test' } },
            integrations: { klaviyo: { fieldsToAppend: ['tags'] } },
          },
        ),
      ),
    has: { append: { tags: 'new' } },
  },
  {
    says: 'hashes of the sender are not hashed again under the name FB Pixel',
    sent: () =>
      sent(
        'FACEBOOK_PIXEL',
        pixel,
        track(
          'X',
          { a: 1 },
          {
            context: { traits: { email: 'hash' } },
            integrations: { 'FB Pixel': { hashed: true } },
          },
        ),
      ),
    has: { em: 'hash' },
  },
  {
    says: 'AppsFlyer gets the facts of a product in any case of its name',
    sent: () =>
      sent(
        'AF',
        appsflyer,
        track('product viewed', { product_id: 'mug-1', category: 'Mugs', price: 12 }, { context: android }),
      ),
    has: { af_content_id: 'mug-1', af_content_type: 'Mugs', af_price: 12 },
  },
  {
    says: 'AppsFlyer gets lists of products, searches and the currency',
    sent: () =>
      sent(
        'AF',
        { ...appsflyer, afCurrencyAtRoot: true },
        track(
          'Checkout Started',
          { currency: 'CHF', products: [{ product_id: 'a', quantity: 2, price: 3 }] },
          { context: android },
        ),
      ),
    has: { af_content_id: ['a'], af_quantity: [2], af_price: [3], af_currency: 'CHF' },
  },
  {
    says: 'a purchase of Branch is a standard event in any case',
    sent: () =>
      sent(
        'BRANCH',
        { branchKey: 'k' },
        track(
          'Purchase',
          { transaction_id: 't', revenue: 12, currency: 'CHF' },
          { context: { os: { name: 'Android' } } },
        ),
      ),
    has: { endpoint: 'https://api2.branch.io/v2/event/standard', name: 'PURCHASE' },
  },
  {
    says: 'Attentive recognises names with underscores, and keeps prices whole',
    sent: () =>
      sent(
        'ATTENTIVE_TAG',
        { apiKey: 'k' },
        track(
          'order_completed',
          { products: [{ product_id: 'p', variant: 'v', price: 9.5 }] },
          { context: { traits: { email: 'a@b.test' } } },
        ),
      ),
    has: {
      endpoint: 'https://api.attentivemobile.com/v1/events/ecommerce/purchase',
      value: 9.5,
      occurredAt: timestamp,
    },
  },
  {
    says: 'Google Analytics gets names of all alphabets',
    sent: () => sent('GA4', { apiSecret: 's', measurementId: 'G-1' }, track('Größe geändert')),
    has: { name: 'Größe_geändert' },
  },
  {
    says: 'Google Analytics gets the address of a page that a server reports',
    sent: () =>
      sent(
        'GA4',
        { apiSecret: 's', measurementId: 'G-1' },
        { type: 'page', anonymousId: 'a', properties: { url: 'https://x.test/a', title: 'T' } },
      ),
    has: { page_location: 'https://x.test/a', page_title: 'T' },
  },
  {
    says: 'Google Analytics gets the list of a product that was clicked, also with the event',
    sent: () =>
      sent(
        'GA4',
        { apiSecret: 's', measurementId: 'G-1' },
        track('product clicked', { list_id: 'l1', category: 'Mugs', product_id: 'p' }),
      ),
    has: { item_list_name: 'Mugs', item_category: 'Mugs', item_list_id: 'l1' },
  },
  {
    says: 'TikTok gets the brands of products in both versions',
    sent: () =>
      sent(
        'TIKTOK_ADS',
        { accessToken: 'a', pixelCode: 'p', version: 'v1' },
        track('Order Completed', { products: [{ product_id: 'p', brand: 'Ember' }] }),
      ),
    has: { content_id: 'p', brand: 'Ember' },
  },
  {
    says: 'a name that is mapped to an event of Snapchat has its content',
    sent: () =>
      sent(
        'SNAPCHAT_CONVERSION',
        { apiKey: 'k', pixelId: 'p', rudderEventsToSnapEvents: [{ from: 'Trip Booked', to: 'order_completed' }] },
        track(
          'trip_booked',
          { order_id: 'o1', currency: 'CHF', products: [{ product_id: 'm', price: 9, quantity: 1 }] },
          { channel: 'web', context: { traits: { email: 'a@b.test' } } },
        ),
      ),
    has: { event_type: 'PURCHASE', transaction_id: 'o1', price: '9', item_ids: ['m'] },
  },
  {
    says: 'a deleted record of an event deletes no person at Customer.io',
    sent: () =>
      sent(
        'CUSTOMERIO',
        { siteID: 's', apiKey: 'k', datacenter: 'US' },
        { type: 'record', action: 'delete', identifiers: { id: 'ada', name: 'Trip Booked' } },
        { connection: { config: { destination: { object: 'event' } } } },
      ),
    has: { error: 'configuration' },
  },
  {
    says: 'a record of an event is an event at Customer.io',
    sent: () =>
      sent(
        'CUSTOMERIO',
        { siteID: 's', apiKey: 'k', datacenter: 'US' },
        {
          type: 'record',
          action: 'insert',
          identifiers: { cio_id: 'c-77', name: 'Trip Booked' },
          fields: { nights: 2 },
        },
        { connection: { config: { destination: { object: 'event' } } } },
      ),
    has: { action: 'event', name: 'Trip Booked', identifiers: { cio_id: 'c-77' }, attributes: { nights: 2 } },
  },
  {
    says: 'names of events of anonymous people are cut at 100 bytes at Customer.io',
    sent: () =>
      sent(
        'CUSTOMERIO',
        { siteID: 's', apiKey: 'k', datacenter: 'US' },
        { type: 'track', event: '購'.repeat(50), anonymousId: 'a' },
      ),
    has: { name: '購'.repeat(33) },
  },
  {
    says: 'Braze gets phone numbers or emails of a subscription, never both',
    sent: () =>
      sent(
        'BRAZE',
        { restApiKey: 'k', dataCenter: 'US-01', enableSubscriptionGroupInGroupCall: true },
        {
          type: 'group',
          groupId: 'g',
          userId: 'u',
          traits: { subscriptionState: 'subscribed', email: 'a@b.test', phone: '+1' },
        },
      ),
    has: { phones: ['+1'] },
    lacks: ['emails'],
  },
  {
    says: 'SendGrid adds a contact to the lists of the event',
    sent: () =>
      sent(
        'SENDGRID',
        { apiKey: 'k', listId: 'l1' },
        {
          type: 'identify',
          userId: 'u',
          traits: { email: 'a@b.test' },
          context: { externalId: [{ type: 'listIds', id: ['l2', 'l3'] }] },
        },
      ),
    has: { contactListIds: ['l2', 'l3'] },
  },
  {
    says: 'a mail of SendGrid has the settings of its event',
    sent: () =>
      sent(
        'SENDGRID',
        { apiKey: 'k', eventNamesSettings: [{ event: 'Paid' }], fromEmail: 'f@b.test', mailFromTraits: true },
        track(
          'Paid',
          { mailSettings: { bypassListManagement: true, footer: 'Bye' } },
          { context: { traits: { email: 'a@b.test' } } },
        ),
      ),
    has: { mail_settings: { bypass_list_management: { enable: true }, footer: { enable: true, text: 'Bye' } } },
  },
  {
    says: 'Reddit knows that a user has opted out',
    sent: () => sent('REDDIT', { accountId: 'a', version: 'v3' }, track('X', { optOut: true })),
    has: { data_processing_options: { modes: ['LDU'] } },
  },
  {
    says: 'Pinterest knows whether tracking is allowed',
    sent: () =>
      sent(
        'PINTEREST_TAG',
        { apiVersion: 'newApi', adAccountId: '1', conversionToken: 't', appId: 'a', sendAsCustomEvent: true },
        track('X', {}, { channel: 'web', context: { ...limited, traits: { email: 'a@b.test' } } }),
      ),
    has: { advertiser_tracking_enabled: false },
  },
  {
    says: 'Amplitude gets no empty operation, which would drop the other properties',
    sent: () =>
      sent(
        'AM',
        { apiKey: 'k', enableEnhancedUserOperations: true, traitsToIncrement: [{ traits: 'visits' }] },
        { type: 'identify', userId: 'u', traits: { plan: 'gold' } },
      ),
    has: { user_properties: { $set: { plan: 'gold' } } },
  },
  {
    says: 'Amplitude gets operations with all events',
    sent: () =>
      sent(
        'AM',
        {
          apiKey: 'k',
          enableEnhancedUserOperations: true,
          traitsToIncrement: [{ traits: 'visits' }],
          traitsToSetOnce: [{ traits: 'first_plan' }],
        },
        track('X', {}, { context: { traits: { first_plan: 'gold', visits: 1, email: 'a@b.test' } } }),
      ),
    has: { user_properties: { $setOnce: { first_plan: 'gold' }, $add: { visits: 1 }, $set: { email: 'a@b.test' } } },
  },
  {
    says: 'HubSpot associates two objects',
    sent: () =>
      sent(
        'HS',
        { authorizationType: 'newPrivateAppApi', accessToken: 't', apiVersion: 'newApi', lookupField: 'email' },
        {
          type: 'identify',
          userId: 'u',
          traits: { from: { id: 940 }, to: { id: 1 } },
          context: {
            mappedToDestination: true,
            externalId: [
              {
                id: 1,
                type: 'HS-association',
                fromObjectType: 'companies',
                toObjectType: 'contacts',
                identifierType: 'id',
                associationTypeId: 'engineer',
              },
            ],
          },
        },
      ),
    has: {
      endpoint: 'https://api.hubapi.com/crm/v3/associations/companies/contacts/batch/create',
      inputs: [{ from: { id: '940' }, to: { id: '1' }, type: 'engineer' }],
    },
  },
  {
    says: 'the listed traits of Slack restrict {{traits}} only',
    sent: () =>
      sent(
        'SLACK',
        {
          webhookUrl: 'https://hooks.slack.com/x',
          identifyTemplate: 'Hi {{name}} of {{city}}',
          whitelistedTraitsSettings: [{ trait: 'plan' }],
        },
        { type: 'identify', userId: 'u', traits: { name: 'Ida', city: 'Bern', plan: 'pro' } },
      ),
    has: { text: 'Hi Ida of Bern' },
  },
  {
    says: 'amounts of money have a sign at Adjust',
    sent: () =>
      sent(
        'ADJ',
        { appToken: 'a', customMappings: [{ from: 'Paid', to: 'tok' }] },
        track('paid', { revenue: '$4.50' }, { context: { device: { id: 'd', type: 'android' } } }),
      ),
    has: { revenue: 4.5, event_token: 'tok' },
  },
  ...[
    ['ADJ', { appToken: 'a', customMappings: [{ from: 'X', to: 'tok' }] }, 'gps_adid'],
    ['AF', appsflyer, 'advertising_id'],
    ['BRANCH', { branchKey: 'k' }, 'aaid'],
    ['SINGULAR', { apiKey: 'k' }, 'aifa'],
  ].flatMap(([type, settings, name]): Case[] => {
    const event = track(
      'X',
      {},
      {
        context: {
          ...limited,
          ...android,
          app: { namespace: 'com.a' },
          ip: '1.2.3.4',
          os: { name: 'Android', version: '14' },
        },
      },
    )
    const own = settings as JsonObject
    return [
      {
        says: `${type} gets no advertising id of a user who limits tracking`,
        sent: () => sent(String(type), own, event),
        lacks: [String(name), 'error'],
      },
      {
        says: `${type} gets it when the operator says so`,
        sent: () => sent(String(type), { ...own, sendLimitedAdvertisingIds: true }, event),
        has: { [String(name)]: 'gaid' },
      },
    ]
  }),
  ...(
    [
      ['ITERABLE', { apiKey: 'k' }, 'userId'],
      ['INTERCOM', { apiKey: 'k', apiVersion: 'v1' }, 'user_id'],
      ['CLEVERTAP', { passcode: 'k', accountId: 'a', region: 'none' }, 'identity'],
      ['KLAVIYO', { privateApiKey: 'k', apiVersion: 'v2' }, 'external_id'],
    ] as const
  ).map(
    ([type, settings, name]): Case => ({
      says: `${type} gets a number as id as a text`,
      sent: () =>
        sent(type, settings, track('E', { x: 1 }, { userId: 42, context: { traits: { email: 'a@b.test' } } })),
      has: { [name]: '42' },
    }),
  ),
]

/** Returns all objects in a value, itself included. */
function objectsIn(value: JsonValue): readonly JsonObject[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap((each) => objectsIn(each as JsonValue))
  return Array.isArray(value) ? inside : [value as JsonObject, ...inside]
}

describe('what destinations get', () => {
  for (const { says, sent: send, has = {}, lacks = [] } of cases)
    it(says, () => {
      const objects = objectsIn(send())
      const found = (name: string) => objects.flatMap((each) => (Object.hasOwn(each, name) ? [each[name]] : []))
      for (const [name, value] of Object.entries(has)) expect(found(name), name).toContainEqual(value)
      for (const name of lacks) expect(found(name), name).toEqual([])
    })
})
