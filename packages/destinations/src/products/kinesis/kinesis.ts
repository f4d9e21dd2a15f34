import { Type } from 'typebox'
import {
  awsKeySettings,
  awsRequest,
  defineDestination,
  defined,
  field,
  instrumentationError,
  isJsonLarger,
  streamKey,
  streamTraits,
} from '../../kit/index.ts'
import { kinesisExamples } from './kinesis-examples.ts'

const bytesMax = 1_000_000 // bytes of a record and its key. Source: AWS docs, PutRecords

/**
 * Puts events into a stream of Amazon Kinesis as JSON. The partition key is the user, so that their events stay in order
 * in one shard.
 *
 * Source: RudderStack docs, Amazon Kinesis destination; recorded behaviour of RudderStack's kinesis destination; AWS
 * docs, PutRecords.
 */
export const kinesis = defineDestination({
  type: 'KINESIS',
  displayName: 'Amazon Kinesis',
  ...streamTraits({ itemsMax: 500, bytesMax: 4_500_000 }), // Source: AWS docs, PutRecords
  settings: Type.Object({
    ...awsKeySettings,
    stream: field.requiredText({
      title: 'Stream',
      pattern: '^[a-zA-Z0-9_.-]{1,128}$',
      description: 'Name of the stream.',
      allowed: 'the name of a stream',
      isFixed: true,
    }),
    useMessageId: field.flag({
      title: 'Spread by message',
      description: 'Uses the messageId as partition key: events spread evenly, and those of one user lose their order.',
    }),
  }),
  secrets: ['accessKey'],
  requests(event, settings) {
    if (isJsonLarger(event, bytesMax)) return instrumentationError(`the event has more than ${bytesMax} bytes`)
    const params = defined({ stream: settings.stream, useMessageId: settings.useMessageId || undefined })
    return awsRequest('kinesis', settings, { params, message: { message: event, userId: streamKey(event) } })
  },
  limits: [
    'A request has at most 500 records.',
    `An event of more than ${bytesMax} bytes fails.`,
    'Roles of IAM are not supported: use an access key.',
  ],
  examples: kinesisExamples,
})
