import { createHash } from 'node:crypto'
import type { Clock, JsonObject, JsonValue } from '@sluice/core'
import { type DeliveryRequest, type StreamResult, streamMessages } from '@sluice/destinations/kit'
import { AwsV4Signer } from '#inlined/aws4fetch'
import type { EncodedRequest } from '../transport/http/encode-request.ts'
import type { HttpClient } from '../transport/http/http-client.ts'
import type { Transport, TransportResult } from '../transport/transport.ts'
import { type AwsCall, awsCalls } from './aws-calls.ts'
import { basicCredentials } from './basic-credentials.ts'
import { streamReply } from './brokers/stream-sink.ts'

interface AwsSinkOptions {
  readonly client: Pick<HttpClient, 'exchange'>
  /** Time of signatures. Servers refuse those that are some minutes off. */
  readonly clock: Pick<Clock, 'now'>
}

/**
 * Creates a sink for services of AWS that take records over their JSON APIs. All messages of a request go into as few
 * calls as the service needs; each message has a result of its own.
 */
export function createAwsSink({ client, clock }: AwsSinkOptions): Transport {
  return {
    async send(request, options) {
      const messages = streamMessages(request)
      const results: StreamResult[] = []
      for (const call of awsCalls(request, messages)) {
        const encode = () => signed(request, call, clock.now())
        const result = await client.exchange(request, encode, { ...options, replyBytesMax })
        const { reply, failure } = readCall(result)
        if (failure && call.indexes.length === messages.length) return failure
        // Earlier calls have stored their records, which must not be sent again.
        const failed = failure && {
          status: failure.kind === 'reply' ? failure.status : 503,
          message: 'the call failed',
        }
        for (const [place, index] of call.indexes.entries()) results[index] = failed ?? call.resultOf(reply, place)
      }
      return streamReply(messages.map((_, index) => results[index] ?? { status: 200 }))
    },
  }
}

/** A reply has a line per record. */
const replyBytesMax = 1024 * 1024

async function signed(
  request: DeliveryRequest,
  { target, body, contentType }: AwsCall,
  nowMs: number,
): Promise<EncodedRequest> {
  const [accessKeyId = '', secretAccessKey = ''] = basicCredentials(request.headers['authorization']) ?? []
  const text = JSON.stringify(body)
  const signedCall = await new AwsV4Signer({
    method: 'POST',
    url: `${String(request.params['origin'])}/`,
    headers: {
      'content-type': contentType,
      'x-amz-target': target,
      'x-amz-content-sha256': createHash('sha256').update(text).digest('hex'),
    },
    accessKeyId,
    secretAccessKey,
    service: new URL(request.endpoint).protocol.slice(0, -1),
    region: String(request.params['region']),
    datetime: new Date(nowMs).toISOString().replace(/[:-]|\.\d{3}/g, ''),
  }).sign()
  return { method: 'POST', url: signedCall.url, headers: Object.fromEntries(signedCall.headers), body: text }
}

/** Errors that AWS reports with status 400 although the same call may succeed later. Source: AWS docs, common errors. */
const passing = /Throttl|ProvisionedThroughputExceeded|LimitExceeded|ServiceUnavailable|InternalFailure|SlowDown/

function readCall(result: TransportResult): { readonly reply: JsonObject; readonly failure?: TransportResult } {
  if (result.kind !== 'reply') return { reply: {}, failure: result }
  return result.status === 200 ? { reply: parsed(result.body) } : { reply: {}, failure: refusedCall(result) }
}

function refusedCall(reply: TransportResult & { readonly kind: 'reply' }): TransportResult {
  const isPassing = reply.status === 400 && passing.test(reply.body)
  return isPassing ? { ...reply, status: 429 } : reply
}

function parsed(text: string): JsonObject {
  try {
    return Object(JSON.parse(text) as JsonValue)
  } catch {
    return {}
  }
}
