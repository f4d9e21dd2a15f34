import { type DestinationExample, instrumentationError, json } from '../../kit/index.ts'

const settings = {
  apiKey: 'key',
  applicationId: 'app',
  eventTypeSettings: [
    { from: 'Product Clicked', to: 'click' },
    { from: 'Order Completed', to: 'conversion' },
  ],
}
const posted = {
  method: 'POST',
  endpoint: 'https://insights.algolia.io/1/events',
  headers: { 'X-Algolia-Application-Id': 'app', 'X-Algolia-API-Key': 'key' },
}

/** The examples of the Algolia destination. */
export const algoliaExamples: readonly DestinationExample[] = [
  {
    title: 'a click has the position of the object in a search',
    event: {
      type: 'track',
      event: 'Product Clicked',
      userId: 'u1',
      properties: { index: 'products', objectIds: ['o1'], positions: [3], queryId: 'q1' },
    },
    settings,
    requests: [
      json({
        ...posted,
        body: {
          events: [
            {
              index: 'products',
              queryID: 'q1',
              userToken: 'u1',
              objectIDs: ['o1'],
              positions: [3],
              eventName: 'product clicked',
              eventType: 'click',
            },
          ],
        },
      }),
    ],
  },
  {
    title: 'an order has its products',
    event: {
      type: 'track',
      event: 'Order Completed',
      userId: 'u1',
      properties: {
        index: 'products',
        currency: 'EUR',
        eventSubtype: 'purchase',
        products: [{ objectId: 'o1', price: 4.5, quantity: '2' }],
      },
    },
    settings,
    requests: [
      json({
        ...posted,
        body: {
          events: [
            {
              index: 'products',
              currency: 'EUR',
              userToken: 'u1',
              objectIDs: ['o1'],
              eventName: 'order completed',
              eventType: 'conversion',
              eventSubtype: 'purchase',
              objectData: [{ price: '4.5', quantity: 2 }],
            },
          ],
        },
      }),
    ],
  },
  {
    title: 'an event without a type fails',
    event: { type: 'track', event: 'Seen', userId: 'u1', properties: { index: 'products', objectIds: ['o1'] } },
    settings,
    error: instrumentationError('the type of the event must be click, view or conversion'),
  },
]
