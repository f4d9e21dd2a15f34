import { isIP } from 'node:net'
import type { StreamMessage, StreamResult } from '@sluice/destinations'
import type { ISocketFactory, KafkaConfig, Producer, SASLOptions } from 'kafkajs'
import { openGuardedSocket } from '../transport/open-guarded-socket.ts'
import type { PeerSockets } from '../transport/peer-sockets.ts'
import { basicCredentials } from './basic-credentials.ts'
import { authorityOf, brokerAddress, endpointHost } from './broker-address.ts'
import { brokerClient } from './broker-clients.ts'
import { indexesBy } from './indexes-by.ts'
import { type OpenStream, RefusedByBroker, type StreamConnection } from './stream-sink.ts'

const portDefault = 9_092
const keepAliveMs = 60_000

/**
 * Connects to a Kafka cluster. Every broker that the cluster announces must have an allowed address. A message counts as
 * stored when all replicas in sync have it.
 */
export const openKafkaStream: OpenStream = async (request, { connectTimeMs, sockets }) => {
  const { Kafka, logLevel, Partitioners, KafkaJSSASLAuthenticationError } = await brokerClient('kafkajs')
  const { params } = request
  const others = Array.isArray(params['moreBrokers']) ? params['moreBrokers'].map(String) : []
  const brokers = [endpointHost(request), ...others].map((each) => {
    const { host, port } = brokerAddress(each, portDefault, sockets.guard)
    return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
  })
  const sasl = saslOf(request.headers['authorization'], params['mechanism'])
  const config: KafkaConfig = {
    clientId: 'sluice',
    brokers,
    connectionTimeout: connectTimeMs,
    authenticationTimeout: connectTimeMs,
    logLevel: logLevel.NOTHING,
    // Deliveries are retried by Sluice, which keeps the order of users and counts attempts.
    retry: { retries: 0 },
    socketFactory: guardedSockets(sockets),
    ...(params['tls'] === true ? { ssl: authorityOf(request) } : {}),
    ...(sasl ? { sasl } : {}),
  }
  const producer = new Kafka(config).producer({ createPartitioner: Partitioners.DefaultPartitioner })
  try {
    await producer.connect()
  } catch (error) {
    if (error instanceof KafkaJSSASLAuthenticationError) throw new RefusedByBroker(401, 'The credentials are wrong.')
    throw error
  }
  return kafkaConnection(producer)
}

function kafkaConnection(producer: Producer): StreamConnection {
  let isUsable = true
  producer.on(producer.events.DISCONNECT, () => {
    isUsable = false
  })
  return {
    get isUsable() {
      return isUsable
    },
    async publish(messages) {
      const results: StreamResult[] = []
      const sending = [...indexesBy(messages, 'topic')].map(async ([topic, indexes]) => {
        const own = indexes.map((index) => messages[index] as StreamMessage)
        for (const [place, result] of (await produceAll(producer, topic, own)).entries()) {
          results[indexes[place] as number] = result
        }
      })
      await Promise.all(sending)
      return results
    },
    destroy() {
      isUsable = false
      producer.disconnect().catch(() => {})
    },
  }
}

/**
 * Kafka stores or refuses the messages of a partition together. Refused ones are sent again in halves, so that only those
 * at fault fail. The client does not report which partitions stored theirs, so these may arrive twice.
 */
async function produceAll(
  producer: Producer,
  topic: string,
  messages: readonly StreamMessage[],
): Promise<readonly StreamResult[]> {
  const result = await produce(producer, topic, messages)
  if (result.status !== 400 || messages.length === 1) return messages.map(() => result)
  const middle = Math.ceil(messages.length / 2)
  const first = await produceAll(producer, topic, messages.slice(0, middle))
  return [...first, ...(await produceAll(producer, topic, messages.slice(middle)))]
}

/** Sends messages in one batch. */
async function produce(producer: Producer, topic: string, messages: readonly StreamMessage[]): Promise<StreamResult> {
  try {
    await producer.send({
      topic,
      acks: -1,
      messages: messages.map(({ message = {}, userId }) => ({
        key: userId === '' ? null : userId,
        value: JSON.stringify(message),
        headers: typeof message['messageId'] === 'string' ? { messageId: message['messageId'] } : {},
      })),
    })
    return { status: 200 }
  } catch (error) {
    const { KafkaJSProtocolError, KafkaJSNonRetriableError, KafkaJSError } = await brokerClient('kafkajs')
    if (error instanceof KafkaJSProtocolError) return { status: error.retriable ? 503 : 400, message: error.type }
    if (error instanceof KafkaJSNonRetriableError) return { status: 503, message: error.name }
    if (error instanceof KafkaJSError) return { status: 503, message: error.name }
    throw error
  }
}

function saslOf(authorization: string | undefined, mechanism: unknown): SASLOptions | undefined {
  const [username, password] = basicCredentials(authorization) ?? []
  if (username === undefined || password === undefined) return undefined
  if (mechanism === 'scram-sha-256' || mechanism === 'scram-sha-512') return { mechanism, username, password }
  return { mechanism: 'plain', username, password }
}

/** Sockets that connect only to allowed addresses, also for brokers that the cluster announces. */
function guardedSockets(sockets: PeerSockets): ISocketFactory {
  return ({ host, port, ssl, onConnect }) => {
    const socket = openGuardedSocket({ host, port, tls: ssl || undefined }, sockets.rules, onConnect)
    return socket.setKeepAlive(true, keepAliveMs)
  }
}
