import { configurationError, type DestinationExample, instrumentationError, json } from '../../kit/index.ts'

const settings = {
  conversionMapping: [
    { from: 'Order Completed', to: '1' },
    { from: 'Signed Up', to: '2' },
    { from: 'Signed Up', to: '3' },
  ],
}

/** The examples of the LinkedIn Ads destination. */
export const linkedinAdsExamples: readonly DestinationExample[] = [
  {
    title: 'an order becomes a conversion with the sum of its products',
    event: {
      type: 'track',
      event: 'Order Completed',
      messageId: 'm1',
      timestamp: '2024-01-01T00:00:00.000Z',
      context: { traits: { email: 'Ida@example.com', firstName: 'Ida', lastName: 'Sol' } },
      properties: { currency: 'EUR', products: [{ price: 21, quantity: 2 }, { price: 5 }] },
    },
    settings,
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://api.linkedin.com/rest/conversionEvents',
        headers: {
          'Content-Type': 'application/json',
          'X-RestLi-Method': 'BATCH_CREATE',
          'X-Restli-Protocol-Version': '2.0.0',
          'LinkedIn-Version': '202511',
        },
        body: {
          elements: [
            {
              conversionHappenedAt: 1704067200000,
              eventId: 'm1',
              conversionValue: { currencyCode: 'EUR', amount: '47' },
              user: {
                userIds: [
                  {
                    idType: 'SHA256_EMAIL',
                    idValue: '2183cce8ca8f05aa3322c18bd1b547d42c11757e838b84a0d4d3e4b31bf4e1e1',
                  },
                ],
                userInfo: { firstName: 'Ida', lastName: 'Sol' },
              },
              conversion: 'urn:lla:llaPartnerConversion:1',
            },
          ],
        },
      }),
    ],
  },
  {
    title: 'an event with two conversion rules is sent for both',
    event: {
      type: 'track',
      event: 'Signed Up',
      timestamp: '2024-01-01T00:00:00.000Z',
      context: { traits: { email: 'hash' } },
      properties: { id: 'x1' },
    },
    settings: { ...settings, hashData: false, deduplicationKey: 'properties.id' },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://api.linkedin.com/rest/conversionEvents',
        headers: {
          'Content-Type': 'application/json',
          'X-RestLi-Method': 'BATCH_CREATE',
          'X-Restli-Protocol-Version': '2.0.0',
          'LinkedIn-Version': '202511',
        },
        body: {
          elements: [
            {
              conversionHappenedAt: 1704067200000,
              eventId: 'x1',
              user: { userIds: [{ idType: 'SHA256_EMAIL', idValue: 'hash' }] },
              conversion: 'urn:lla:llaPartnerConversion:2',
            },
            {
              conversionHappenedAt: 1704067200000,
              eventId: 'x1',
              user: { userIds: [{ idType: 'SHA256_EMAIL', idValue: 'hash' }] },
              conversion: 'urn:lla:llaPartnerConversion:3',
            },
          ],
        },
      }),
    ],
  },
  {
    title: 'an event without a conversion rule fails',
    event: {
      type: 'track',
      event: 'Seen',
      timestamp: '2024-01-01T00:00:00.000Z',
      context: { traits: { email: 'Ida@example.com', firstName: 'Ida', lastName: 'Sol' } },
    },
    settings,
    error: configurationError('the settings have no conversion rule for the event Seen'),
  },
  {
    title: 'an event of an unknown person fails',
    event: { type: 'track', event: 'Signed Up', timestamp: '2024-01-01T00:00:00.000Z' },
    settings,
    error: instrumentationError('Missing required value from "user.userIds"'),
  },
]
