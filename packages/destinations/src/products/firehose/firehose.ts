import { identifierText } from '@sluice/core'
import { Type } from 'typebox'
import {
  awsKeySettings,
  awsRequest,
  configurationError,
  type DestinationExample,
  defineDestination,
  field,
  sink,
  streamTraits,
  topicInTable,
} from '../../kit/index.ts'

const settings = {
  ...{ region: 'us-east-1', accessKeyID: 'id', accessKey: 'secret' },
  mapEvents: [
    { from: 'Order Completed', to: 'orders' },
    { from: 'identify', to: 'users' },
  ],
}
const event = { type: 'track', event: 'Order Completed', anonymousId: 'a1', properties: { total: 9 } }
const requestFor = (message: object, deliveryStreamMapTo: string) =>
  sink({
    method: 'PUBLISH',
    endpoint: 'firehose://firehose.us-east-1.amazonaws.com',
    headers: { authorization: 'Basic aWQ6c2VjcmV0' },
    params: { origin: 'https://firehose.us-east-1.amazonaws.com', region: 'us-east-1' },
    body: { messages: [{ message: { ...message }, userId: 'a1', deliveryStreamMapTo }] },
    userId: 'a1',
  })

const examples: readonly DestinationExample[] = [
  {
    title: 'a track event goes to the delivery stream of its name',
    event,
    settings,
    requests: [requestFor(event, 'orders')],
  },
  {
    title: 'other events go to the delivery stream of their type',
    event: { type: 'identify', anonymousId: 'a1' },
    settings,
    requests: [requestFor({ type: 'identify', anonymousId: 'a1' }, 'users')],
  },
  {
    title: 'an event without a delivery stream fails',
    event: { type: 'page', anonymousId: 'a1' },
    settings,
    error: configurationError('no delivery stream is set for this event'),
  },
]

/**
 * Puts events into delivery streams of Amazon Data Firehose, as lines of JSON.
 *
 * Source: RudderStack docs, Amazon Kinesis Firehose destination; recorded behaviour of RudderStack's firehose
 * destination; AWS docs, PutRecordBatch.
 */
export const firehose = defineDestination({
  type: 'FIREHOSE',
  displayName: 'Amazon Kinesis Firehose',
  ...streamTraits({ itemsMax: 500, bytesMax: 3_900_000 }), // Source: AWS docs, PutRecordBatch
  settings: Type.Object({
    ...awsKeySettings,
    mapEvents: field.pairs({
      title: 'Delivery streams',
      description: 'Delivery streams by the name of track events, by message type, or * for all others.',
      from: 'Name of a track event, a message type, or *.',
      to: 'Name of the delivery stream.',
    }),
  }),
  secrets: ['accessKey'],
  requests(event, given) {
    const deliveryStreamMapTo = topicInTable(event, given.mapEvents)
    if (deliveryStreamMapTo === undefined) return configurationError('no delivery stream is set for this event')
    const userId = identifierText(event['anonymousId'])
    return awsRequest('firehose', given, { message: { message: event, userId, deliveryStreamMapTo } })
  },
  limits: [
    'A request has at most 500 records. A record has at most 1,024,000 bytes.',
    'Roles of IAM are not supported: use an access key.',
  ],
  examples,
})
