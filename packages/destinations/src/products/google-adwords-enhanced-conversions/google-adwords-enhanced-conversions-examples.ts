import { configurationError, type DestinationExample, instrumentationError, json } from '../../kit/index.ts'

const settings = { customerId: '123-456-7890', listOfConversions: [{ conversions: 'Order Completed' }] }

/** The examples of the Google Ads Enhanced Conversions destination. */
export const googleAdwordsEnhancedConversionsExamples: readonly DestinationExample[] = [
  {
    title: 'an order is enhanced with hashed personal data',
    event: {
      type: 'track',
      event: 'Order Completed',
      timestamp: '2024-01-01T00:00:00.000Z',
      context: {
        traits: { email: 'Ida.Sol+shop@gmail.com', firstName: 'Ida', address: { city: 'Ghent', country: 'BE' } },
      },
      properties: {
        order_id: 7,
        gclid: 'g1',
        conversionDateTime: '2024-01-01 10:00:00+01:00',
        currency: 'EUR',
        adjustedValue: '42',
      },
    },
    settings,
    requests: [
      json({
        method: 'POST',
        endpoint: '',
        headers: { 'Content-Type': 'application/json' },
        params: { event: 'Order Completed', customerId: '1234567890', subAccount: false },
        body: {
          conversionAdjustments: [
            {
              gclidDateTimePair: { gclid: 'g1', conversionDateTime: '2024-01-01 10:00:00+01:00' },
              restatementValue: { adjustedValue: 42, currencyCode: 'EUR' },
              orderId: '7',
              adjustmentType: 'ENHANCEMENT',
              userIdentifiers: [
                { hashedEmail: 'afd1db109acdb554fe8031febf9250bba0e4968611062e62a24b585ceed6d23a' },
                {
                  addressInfo: {
                    city: 'Ghent',
                    countryCode: 'BE',
                    hashedFirstName: 'bb6b24bf13999272b27006f7711965f77861a326a30b43b9b1852a500ad68ac7',
                  },
                },
              ],
            },
          ],
          partialFailure: true,
        },
      }),
    ],
  },
  {
    title: 'an event that the settings do not list fails',
    event: { type: 'track', event: 'Seen', timestamp: '2024-01-01T00:00:00.000Z' },
    settings,
    error: configurationError('the settings do not list the conversion Seen'),
  },
  {
    title: 'data that is hashed already fails while hashing is on',
    event: {
      type: 'track',
      event: 'Order Completed',
      timestamp: '2024-01-01T00:00:00.000Z',
      context: { traits: { email: '2183cce8ca8f05aa3322c18bd1b547d42c11757e838b84a0d4d3e4b31bf4e1e1' } },
    },
    settings,
    error: instrumentationError('hashedEmail is hashed already, but the settings say that it is not'),
  },
]
