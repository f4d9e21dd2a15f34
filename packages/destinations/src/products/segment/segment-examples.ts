import type { DestinationExample } from '../../kit/define/define-destination.ts'
import { json } from '../../kit/map/delivery-request.ts'

/** The examples of the Segment destination. */
export const segmentExamples: readonly DestinationExample[] = [
  {
    title: 'an event is sent as a batch of one, with the traits of its context',
    event: {
      type: 'track',
      event: 'Order Placed',
      userId: 'u1',
      context: { traits: { plan: 'pro' }, library: { name: 'js' } },
      properties: { total: 9 },
      timestamp: '2024-01-01T00:00:00.000Z',
    },
    settings: { writeKey: 'key' },
    requests: [
      {
        ...json({
          method: 'POST',
          endpoint: 'https://api.segment.io/v1/batch',
          headers: { 'Content-Type': 'application/json', Authorization: 'Basic a2V5Og==' },
          body: {
            batch: [
              {
                type: 'track',
                userId: 'u1',
                event: 'Order Placed',
                traits: { plan: 'pro' },
                properties: { total: 9 },
                timeStamp: '2024-01-01T00:00:00.000Z',
              },
            ],
          },
          userId: 'u1',
        }),
        statusCode: 200,
      },
    ],
  },
]
