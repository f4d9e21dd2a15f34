import { isIP } from 'node:net'
import type { DeliveryRequest, StreamMessage, StreamResult } from '@sluice/destinations'
import type { ISocketFactory, KafkaConfig, SASLOptions } from 'kafkajs'
import { openGuardedSocket } from '../../transport/sockets/open-guarded-socket.ts'
import type { PeerSockets } from '../../transport/sockets/peer-sockets.ts'
import { basicCredentials } from '../basic-credentials.ts'
import { indexesBy } from '../indexes-by.ts'
import { authorityOf, brokerAddress, endpointHost } from './broker-address.ts'
import { brokerClient } from './broker-clients.ts'
import { connectionError, kafkaFailure, refusalOf } from './kafka-failure.ts'
import { KafkaProducer } from './kafka-producer.ts'
import { type OpenStream, RefusedByBroker, type StreamConnection } from './stream-sink.ts'

const portDefault = 9_092
const keepAliveMs = 60_000
/** Topics of a connection that have a producer. The one that was not used for longest is disconnected first. */
const topicsMax = 32

/**
 * Connects to a Kafka cluster. Every broker that the cluster announces must have an allowed address. A message counts as
 * stored when all replicas in sync have it.
 */
export const openKafkaStream: OpenStream = async (request, { connectTimeMs, sockets }) => {
  const client = await brokerClient('kafkajs')
  const kafka = new client.Kafka({
    ...configOf(request, sockets, connectTimeMs),
    logLevel: client.logLevel.NOTHING,
  })
  const isCompressed = request.params['compression'] === 'gzip'
  const open = async (topic: string): Promise<KafkaProducer> => {
    const producer = new KafkaProducer(kafka, client, topic, isCompressed)
    await producer.connect()
    return producer
  }
  try {
    // One is needed soon. With wrong credentials, the connection is refused.
    const first = await open(topicIn(request))
    return new KafkaConnection(open, topicIn(request), first)
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal?.status === 401) throw new RefusedByBroker(401, 'The credentials are wrong.')
    throw connectionError(error)
  }
}

function topicIn({ body }: DeliveryRequest): string {
  const { messages } = body.JSON
  const [first] = Array.isArray(messages) ? messages : []
  return String(Object(first)['topic'])
}

function configOf(request: DeliveryRequest, sockets: PeerSockets, connectTimeMs: number): KafkaConfig {
  const { params } = request
  const others = Array.isArray(params['moreBrokers']) ? params['moreBrokers'].map(String) : []
  const brokers = [endpointHost(request), ...others].map((each) => {
    const { host, port } = brokerAddress(each, portDefault, sockets.guard)
    return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`
  })
  const sasl = saslOf(request.headers['authorization'], params['mechanism'])
  return {
    clientId: 'sluice',
    brokers,
    connectionTimeout: connectTimeMs,
    authenticationTimeout: connectTimeMs,
    // Deliveries are retried by Sluice, which keeps the order of users and counts attempts.
    retry: { retries: 0 },
    socketFactory: guardedSockets(sockets),
    ssl: params['tls'] === true ? authorityOf(request) : undefined,
    sasl,
  }
}

/** Producers of the topics of one cluster and user. */
class KafkaConnection implements StreamConnection {
  readonly #open: (topic: string) => Promise<KafkaProducer>
  /** Used last at the end. */
  readonly #producers = new Map<string, Promise<KafkaProducer>>()
  #isUsable = true

  constructor(open: (topic: string) => Promise<KafkaProducer>, topic: string, first: KafkaProducer) {
    this.#open = open
    this.#producers.set(topic, Promise.resolve(first))
  }

  get isUsable(): boolean {
    return this.#isUsable
  }

  async publish(messages: readonly StreamMessage[]): Promise<readonly StreamResult[]> {
    const results: StreamResult[] = []
    const sending = [...indexesBy(messages, 'topic')].map(async ([topic, indexes]) => {
      const own = indexes.map((index) => messages[index] as StreamMessage)
      for (const [place, result] of (await this.#publishTo(topic, own)).entries())
        results[indexes[place] as number] = result
    })
    await Promise.all(sending)
    return results
  }

  async #publishTo(topic: string, messages: readonly StreamMessage[]): Promise<readonly StreamResult[]> {
    const opening = this.#producerOf(topic)
    try {
      const producer = await opening
      const results = await producer.publish(messages)
      if (!producer.isUsable) this.#forget(topic, opening)
      return results
    } catch (error) {
      this.#forget(topic, opening)
      const result = kafkaFailure(error)
      return messages.map(() => result)
    }
  }

  #producerOf(topic: string): Promise<KafkaProducer> {
    const found = this.#producers.get(topic) ?? this.#open(topic)
    this.#producers.delete(topic)
    this.#producers.set(topic, found)
    if (this.#producers.size > topicsMax) {
      const [oldest] = this.#producers
      if (oldest) this.#forget(...oldest)
    }
    return found
  }

  #forget(topic: string, producer: Promise<KafkaProducer>): void {
    if (this.#producers.get(topic) === producer) this.#producers.delete(topic)
    producer.then((each) => each.retire()).catch(() => {})
  }

  destroy(): void {
    this.#isUsable = false
    for (const producer of this.#producers.values()) producer.then((each) => each.destroy()).catch(() => {})
    this.#producers.clear()
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
