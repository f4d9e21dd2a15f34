import { configurationError, type DestinationExample, json } from '../../kit/index.ts'

const settings = { apiKey: 'key', appKey: 'app' }
const headers = {
  'Content-Type': 'application/json',
  Accept: 'application/vnd.urbanairship+json; version=3',
  Authorization: 'Bearer key',
}

/** The examples of the Airship destination. */
export const airshipExamples: readonly DestinationExample[] = [
  {
    title: 'booleans become tags, and other traits attributes',
    event: {
      type: 'identify',
      userId: 'u1',
      timestamp: '2024-01-01T00:00:00.123Z',
      traits: { firstName: 'Ada', likesMovies: true, trip: { start: 1_704_067_200 } },
    },
    settings: { ...settings, timestampAttributes: [{ timestampAttribute: 'trip.start' }] },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://go.urbanairship.com/api/named_users/tags',
        headers,
        body: { audience: { named_user_id: 'u1' }, add: { rudderstack_integration: ['likesmovies'] } },
      }),
      json({
        method: 'POST',
        endpoint: 'https://go.urbanairship.com/api/named_users/u1/attributes',
        headers,
        body: {
          attributes: [
            { action: 'set', key: 'first_name', value: 'Ada', timestamp: '2024-01-01T00:00:00Z' },
            { action: 'set', key: 'trip_start', value: '2024-01-01T00:00:00Z', timestamp: '2024-01-01T00:00:00Z' },
          ],
        },
      }),
    ],
  },
  {
    title: 'track becomes a custom event',
    event: { type: 'track', event: 'Product Clicked', userId: 'u1', properties: { value: 5, brand: 'Acme' } },
    settings: { ...settings, dataCenter: true },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://go.airship.eu/api/custom-events',
        headers: { ...headers, 'X-UA-Appkey': 'app' },
        body: {
          user: { named_user_id: 'u1' },
          body: { name: 'product_clicked', value: 5, properties: { brand: 'Acme' } },
        },
      }),
    ],
  },
  {
    title: 'a track event without an app key fails',
    event: { type: 'track', event: 'Product Clicked', userId: 'u1' },
    settings: { apiKey: 'key' },
    error: configurationError('appKey is needed to send track events'),
  },
]
