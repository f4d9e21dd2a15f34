import { type DestinationExample, instrumentationError, sink } from '../../kit/index.ts'

const settings = { region: 'eu-west-1', stream: 'events', accessKeyID: 'id', accessKey: 'secret' }
const headers = { authorization: 'Basic aWQ6c2VjcmV0' }
const origin = 'https://kinesis.eu-west-1.amazonaws.com'
const event = { type: 'identify', messageId: 'm1', userId: 'u1', traits: { plan: 'pro' } }

/** The examples of the Kinesis destination. */
export const kinesisExamples: readonly DestinationExample[] = [
  {
    title: 'an event becomes a record whose partition key is the user',
    event,
    settings,
    requests: [
      sink({
        method: 'PUBLISH',
        endpoint: 'kinesis://kinesis.eu-west-1.amazonaws.com',
        headers,
        params: { origin, region: 'eu-west-1', stream: 'events' },
        body: { messages: [{ message: event, userId: 'u1' }] },
        userId: 'u1',
      }),
    ],
  },
  {
    title: 'a compatible server can be used instead, with the messageId as partition key',
    event,
    settings: { ...settings, endPoint: 'http://localhost:4566/', useMessageId: true },
    requests: [
      sink({
        method: 'PUBLISH',
        endpoint: 'kinesis://localhost:4566',
        headers,
        params: { origin: 'http://localhost:4566', region: 'eu-west-1', stream: 'events', useMessageId: true },
        body: { messages: [{ message: event, userId: 'u1' }] },
        userId: 'u1',
      }),
    ],
  },
  {
    title: 'an event that is too large for a record fails',
    event: { ...event, traits: { text: 'x'.repeat(1_000_001) } },
    settings,
    error: instrumentationError('the event has more than 1000000 bytes'),
  },
]
