import { isJsonObject, type JsonObject } from '@sluice/core'
import type { DeliveryRequest, StreamMessage, StreamResult } from '@sluice/destinations'
import { indexesBy } from './indexes-by.ts'

/** A call of a service of AWS that carries some of the messages of a request. */
export interface AwsCall {
  /** Value of the header `X-Amz-Target`. */
  readonly target: string
  readonly contentType: string
  readonly body: JsonObject
  /** Indexes of its messages in the request. */
  readonly indexes: readonly number[]
  /** Returns the result of the message at a place of `indexes`, as the reply reports it. */
  resultOf(reply: JsonObject, place: number): StreamResult
}

type Messages = readonly StreamMessage[]

/** Returns the calls for the messages of a request, by the service that the scheme of its endpoint names. */
export function awsCalls(request: DeliveryRequest, messages: Messages): readonly AwsCall[] {
  switch (new URL(request.endpoint).protocol) {
    case 'kinesis:':
      return [kinesisCall(request, messages)]
    case 'firehose:':
      return firehoseCalls(messages)
    case 'events:':
      return [eventsCall(messages)]
    default:
      return [sqsCall(request, messages)]
  }
}

/** Source: AWS docs, Kinesis Data Streams API, PutRecords. */
function kinesisCall({ params }: DeliveryRequest, messages: Messages): AwsCall {
  const { stream, useMessageId } = params
  const keyOf = ({ message = {}, userId }: StreamMessage): string => {
    const key = useMessageId === true || userId === '' ? message['messageId'] : userId
    return (typeof key === 'string' && key !== '' ? key : 'none').slice(0, 256)
  }
  return {
    target: 'Kinesis_20131202.PutRecords',
    contentType: 'application/x-amz-json-1.1',
    body: {
      StreamName: stream,
      Records: messages.map((each) => ({ Data: base64(textOf(each)), PartitionKey: keyOf(each) })),
    },
    indexes: [...messages.keys()],
    resultOf: (reply, place) => recordResult(reply, 'Records', place),
  }
}

/** One call per delivery stream. Source: AWS docs, Firehose API, PutRecordBatch. */
function firehoseCalls(messages: Messages): readonly AwsCall[] {
  return [...indexesBy(messages, 'deliveryStreamMapTo')].map(([DeliveryStreamName, indexes]) => ({
    target: 'Firehose_20150804.PutRecordBatch',
    contentType: 'application/x-amz-json-1.1',
    body: {
      DeliveryStreamName,
      // Firehose joins records, so each ends its line.
      Records: indexes.map((index) => ({ Data: base64(`${textOf(messages[index])}\n`) })),
    },
    indexes,
    resultOf: (reply, place) => recordResult(reply, 'RequestResponses', place),
  }))
}

/** Source: AWS docs, EventBridge API, PutEvents. */
function eventsCall(messages: Messages): AwsCall {
  return {
    target: 'AWSEvents.PutEvents',
    contentType: 'application/x-amz-json-1.1',
    body: {
      Entries: messages.map(({ Detail, DetailType, EventBusName, Resources, Source }) => ({
        Detail,
        DetailType,
        Resources,
        Source,
        EventBusName: EventBusName === '' ? undefined : EventBusName,
      })),
    },
    indexes: [...messages.keys()],
    resultOf: (reply, place) => recordResult(reply, 'Entries', place),
  }
}

/** Source: AWS docs, SQS API, SendMessageBatch; FIFO queues (message group, deduplication). */
function sqsCall({ params }: DeliveryRequest, messages: Messages): AwsCall {
  const { queueUrl } = params
  const isFifo = typeof queueUrl === 'string' && queueUrl.endsWith('.fifo')
  return {
    target: 'AmazonSQS.SendMessageBatch',
    contentType: 'application/x-amz-json-1.0',
    body: {
      QueueUrl: queueUrl,
      Entries: messages.map((each, index) => ({
        Id: String(index),
        MessageBody: textOf(each),
        ...(isFifo ? fifoMembers(each) : {}),
      })),
    },
    indexes: [...messages.keys()],
    resultOf(reply, place) {
      const { Failed } = reply
      const failed = Array.isArray(Failed) ? Failed.filter(isJsonObject) : []
      const found = failed.find(({ Id }) => Id === String(place))
      if (found === undefined) return { status: 200 }
      return { status: found['SenderFault'] === true ? 400 : 503, message: String(found['Code'] ?? '') }
    },
  }
}

function fifoMembers({ message = {}, userId }: StreamMessage) {
  const { messageId } = message
  const group = fifoName(userId) || 'none'
  const id = typeof messageId === 'string' ? fifoName(messageId) : ''
  return { MessageGroupId: group, MessageDeduplicationId: id === '' ? undefined : id }
}

/** Letters, digits and punctuation, at most 128 characters. */
function fifoName(text: string): string {
  return text.replace(/[^\x21-\x7e]/g, '_').slice(0, 128)
}

/** Codes of records that may be sent again. */
const passing = /Throttl|ProvisionedThroughputExceeded|InternalFailure|InternalException|ServiceUnavailable/

function recordResult(reply: JsonObject, name: string, place: number): StreamResult {
  const records = reply[name]
  const record: unknown = Array.isArray(records) ? records[place] : undefined
  const code = isJsonObject(record) ? record['ErrorCode'] : undefined
  if (typeof code !== 'string' || code === '') return { status: 200 }
  return { status: passing.test(code) ? 503 : 400, message: code }
}

function textOf(message: StreamMessage | undefined): string {
  return JSON.stringify(message?.message ?? {})
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
