import { type DeliveryRequest, type StreamMessage, type StreamResult, streamMessages } from '@sluice/destinations/kit'
import type { EncodedRequest } from '../transport/http/encode-request.ts'
import type { HttpClient } from '../transport/http/http-client.ts'
import type { Transport } from '../transport/transport.ts'
import { streamReply } from './brokers/stream-sink.ts'
import { indexesBy } from './indexes-by.ts'

/**
 * Creates a sink that publishes messages to topics of Google Cloud Pub/Sub, with one call per topic. Pub/Sub stores or
 * refuses the messages of a call together.
 *
 * Source: Google docs, Pub/Sub REST API, projects.topics.publish.
 */
export function createPubsubSink({ client }: { readonly client: Pick<HttpClient, 'exchange'> }): Transport {
  return {
    async send(request, options) {
      const messages = streamMessages(request)
      const results: StreamResult[] = []
      for (const [topicId, indexes] of indexesBy(messages, 'topicId')) {
        const chosen = indexes.map((index) => messages[index] as StreamMessage)
        const result = await client.exchange(request, () => publishCall(request, topicId, chosen), options)
        // Refused tokens concern all topics. Otherwise, what earlier calls have stored must not be sent again.
        const isReply = result.kind === 'reply'
        if (results.length === 0 && (isReply ? result.status === 401 : indexes.length === messages.length))
          return result
        const status = isReply ? result.status : 503
        const message = isReply ? (status === 200 ? '' : result.body.slice(0, 300)) : result.message
        for (const index of indexes) results[index] = { status, message }
      }
      return streamReply(results)
    },
  }
}

function publishCall(
  { params, headers }: DeliveryRequest,
  topicId: string,
  messages: readonly StreamMessage[],
): EncodedRequest {
  const { origin, projectId } = params
  const topic = `projects/${encodeURIComponent(String(projectId))}/topics/${encodeURIComponent(topicId)}`
  const body = {
    messages: messages.map(({ message = {}, attributes, userId }) => ({
      data: Buffer.from(JSON.stringify(message)).toString('base64'),
      attributes,
      orderingKey: userId === '' ? undefined : userId.slice(0, 1_000),
    })),
  }
  return {
    method: 'POST',
    url: new URL(`${String(origin)}/v1/${topic}:publish`),
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}
