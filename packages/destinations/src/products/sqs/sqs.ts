import { Type } from 'typebox'
import {
  awsKeySettings,
  awsRequest,
  type DestinationExample,
  defineDestination,
  field,
  instrumentationError,
  isJsonLarger,
  sink,
  streamKey,
  streamTraits,
} from '../../kit/index.ts'

const bytesMax = 262_144 // bytes of all messages of a request. Source: AWS docs, SendMessageBatch

const queueUrl = 'https://sqs.eu-west-1.amazonaws.com/123456789012/events.fifo'
const settings = { region: 'eu-west-1', accessKeyID: 'id', accessKey: 'secret', queueUrl }
const event = { type: 'track', event: 'Signed Up', messageId: 'm1', userId: 'u1' }
const requestFor = (url: string) =>
  sink({
    method: 'PUBLISH',
    endpoint: 'sqs://sqs.eu-west-1.amazonaws.com',
    headers: { authorization: 'Basic aWQ6c2VjcmV0' },
    params: { origin: 'https://sqs.eu-west-1.amazonaws.com', region: 'eu-west-1', queueUrl: url },
    body: { messages: [{ message: event, userId: 'u1' }] },
    userId: 'u1',
  })

const examples: readonly DestinationExample[] = [
  {
    title: 'an event becomes a message; its user is the group in a FIFO queue',
    event,
    settings,
    requests: [requestFor(queueUrl)],
  },
  {
    title: 'a standard queue keeps no order',
    event,
    settings: { ...settings, queueUrl: 'https://sqs.eu-west-1.amazonaws.com/123456789012/events' },
    requests: [requestFor('https://sqs.eu-west-1.amazonaws.com/123456789012/events')],
  },
  {
    title: 'an event that is too large for a message fails',
    event: { ...event, properties: { text: 'x'.repeat(bytesMax) } },
    settings,
    error: instrumentationError(`the event has more than ${bytesMax} bytes`),
  },
]

/** Sends events to a queue of Amazon SQS as JSON. Source: AWS docs, SendMessageBatch. */
export const sqs = defineDestination({
  type: 'SQS',
  displayName: 'Amazon SQS',
  ...streamTraits({ itemsMax: 10, bytesMax: 250_000 }), // Source: AWS docs, SendMessageBatch
  settings: Type.Object({
    ...awsKeySettings,
    queueUrl: field.requiredText({
      title: 'Queue URL',
      pattern: '^https?://[^\\s?#/]+/[^\\s?#]+$',
      description: 'Address of the queue. A name that ends with .fifo makes it a FIFO queue.',
      placeholder: 'https://sqs.eu-west-1.amazonaws.com/123456789012/events.fifo',
      allowed: 'the address of a queue',
      isFixed: true,
    }),
  }),
  secrets: ['accessKey'],
  requests(event, given) {
    if (isJsonLarger(event, bytesMax)) return instrumentationError(`the event has more than ${bytesMax} bytes`)
    const params = { queueUrl: given.queueUrl }
    return awsRequest('sqs', given, { params, message: { message: event, userId: streamKey(event) } })
  },
  limits: ['A request has at most 10 messages and 250,000 bytes.', `An event of more than ${bytesMax} bytes fails.`],
  examples,
})
