import { configurationError, type DestinationExample, json } from '../../kit/index.ts'

const settings = {
  customerId: '123-456-7890',
  developerToken: 'developer-token',
  eventsToOfflineConversionsTypeMapping: [
    { from: 'Order Completed', to: 'click' },
    { from: 'Store Visited', to: 'store' },
  ],
  eventsToConversionsNamesMapping: [
    { from: 'Order Completed', to: 'Sale' },
    { from: 'Store Visited', to: 'Store sale' },
  ],
}
const query =
  'SELECT conversion_action.name, conversion_action.resource_name, conversion_action.owner_customer FROM conversion_action ' +
  "WHERE conversion_action.name IN ('Sale', 'Store sale')"
const action = 'customers/1234567890/conversionActions'
const answers = { [`1234567890 ${query}`]: { Sale: `${action}/1`, 'Store sale': `${action}/2` } }
const headers = { 'Content-Type': 'application/json', 'developer-token': 'developer-token' }
const email = { hashedEmail: 'b5fc85e55755f9e0d030a10ab4429b6b2944855f9a0d60077fe832becbc41d72' }
const consent = { adPersonalization: 'UNSPECIFIED', adUserData: 'UNSPECIFIED' }
const event = {
  type: 'track',
  event: 'Order Completed',
  timestamp: '2024-01-02T03:04:05.000Z',
  properties: { gclid: 'g1', total: 9, currency: 'EUR', order_id: 'o1' },
  context: { traits: { email: 'Ada@example.com' } },
}

/** The examples of the destination. */
export const googleAdwordsOfflineConversionsExamples: readonly DestinationExample[] = [
  {
    title: 'an order becomes a click conversion, with the hashed email of the user',
    event,
    settings,
    answers,
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://googleads.googleapis.com/v23/customers/1234567890:uploadClickConversions',
        endpointPath: 'uploadClickConversions',
        headers,
        params: { event: 'Sale', customerId: '1234567890', customVariables: [], properties: event.properties },
        body: {
          conversions: [
            {
              gclid: 'g1',
              userIdentifiers: [email],
              orderId: 'o1',
              conversionDateTime: '2024-01-02 03:04:05+00:00',
              conversionValue: 9,
              currencyCode: 'EUR',
              conversionAction: `${action}/1`,
              consent,
            },
          ],
          partialFailure: true,
        },
      }),
    ],
  },
  {
    title: 'a visit to a store becomes a job of store sales',
    event: { ...event, event: 'Store Visited' },
    settings,
    answers,
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://googleads.googleapis.com/v23/customers/1234567890/offlineUserDataJobs',
        endpointPath: 'offlineUserDataJobs',
        headers,
        params: { event: 'Store sale', customerId: '1234567890' },
        body: {
          event: '1234567890',
          isStoreConversion: true,
          createJobPayload: {
            job: {
              type: 'STORE_SALES_UPLOAD_FIRST_PARTY',
              storeSalesMetadata: { loyaltyFraction: '1', transaction_upload_fraction: '1' },
            },
          },
          addConversionPayload: {
            operations: {
              create: {
                transaction_attribute: {
                  transaction_amount_micros: '9000000',
                  order_id: 'o1',
                  currency_code: 'EUR',
                  transaction_date_time: '2024-01-02 03:04:05+00:00',
                  conversion_action: `${action}/2`,
                },
                userIdentifiers: [email],
                consent,
              },
            },
            enable_partial_failure: false,
            enable_warnings: false,
            validate_only: false,
          },
          executeJobPayload: { validate_only: false },
        },
      }),
    ],
  },
  {
    title: 'an event that the settings do not list fails',
    event: { ...event, event: 'Other' },
    settings,
    error: configurationError('the settings have no type and name of a conversion for the event Other'),
  },
]
