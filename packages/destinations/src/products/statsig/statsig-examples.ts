import { type DestinationExample, instrumentationError, json } from '../../kit/index.ts'

/** The examples of the Statsig destination. */
export const statsigExamples: readonly DestinationExample[] = [
  {
    title: 'an event is sent unchanged',
    event: { type: 'track', event: 'Seen', userId: 'u1' },
    settings: { secretKey: 'key' },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://api.statsig.com/v1/webhooks/rudderstack',
        headers: { 'content-type': 'application/json', 'STATSIG-API-KEY': 'key' },
        body: { type: 'track', event: 'Seen', userId: 'u1' },
      }),
    ],
  },
  {
    title: 'an unknown type fails',
    event: { type: 'extract' },
    settings: { secretKey: 'key' },
    error: instrumentationError('message type extract is not supported'),
  },
]
