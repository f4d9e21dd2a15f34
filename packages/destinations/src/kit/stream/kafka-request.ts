import type { JsonObject } from '@sluice/core'
import { defined } from '@sluice/core/defined'
import { basicAuth } from '../convert/basic-auth.ts'
import type { TypedEvent } from '../define/message-type.ts'
import { configurationError, type MappingError } from '../map/mapping-error.ts'
import type { DeliveryRequest } from '../map/request/delivery-request.ts'
import * as field from '../settings/declare/field.ts'
import { streamKey, streamRequest } from './stream-request.ts'
import { entryFor } from './topic-of.ts'

/** How a client signs in. */
type SaslMechanism = 'plain' | 'scram-sha-256' | 'scram-sha-512'

/** A Kafka cluster, or a service that speaks Kafka's protocol. */
export interface KafkaCluster {
  /** Addresses of brokers to start from: `broker.test:9092`. */
  readonly brokers: readonly string[]
  readonly tls: boolean
  /** Default none. */
  readonly compression?: 'none' | 'gzip'
  /** Certificate (PEM) of the authority to trust instead of public ones. */
  readonly caCertificate?: string
  readonly sasl?: { readonly mechanism: SaslMechanism; readonly username: string; readonly password: string }
}

/** Settings that choose the topic of an event. */
export const kafkaTopicSettings = {
  enableMultiTopic: field.flag({
    title: 'Several topics',
    description: 'Sends events to topics by their name or type; others go to the topic above.',
    group: 'Topics',
  }),
  eventTypeToTopicMap: field.pairs({
    title: 'Topics of types',
    description: 'Topics for identify, page, screen, group and alias events, by type.',
    from: 'Message type.',
    to: 'Name of the topic.',
    group: 'Topics',
    shownWhen: { enableMultiTopic: true },
  }),
  eventToTopicMap: field.pairs({
    title: 'Topics of track events',
    description: 'Topics for track events, by name.',
    from: 'Name of the event.',
    to: 'Name of the topic.',
    group: 'Topics',
    shownWhen: { enableMultiTopic: true },
  }),
}

interface TopicSettings {
  readonly topic?: string
  readonly enableMultiTopic?: boolean
  readonly eventTypeToTopicMap?: readonly { readonly from?: string; readonly to?: string }[]
  readonly eventToTopicMap?: readonly { readonly from?: string; readonly to?: string }[]
}

/** Returns a request that produces an event, with its user as key, so that events of one user stay in one partition. */
export function kafkaRequest(
  event: TypedEvent,
  settings: TopicSettings,
  { brokers, tls, compression = 'none', caCertificate, sasl }: KafkaCluster,
): DeliveryRequest | MappingError {
  const topic = kafkaTopicOf(event, settings)
  if (topic === undefined || topic === '') return configurationError('there is no topic for this event')
  const [first = '', ...others] = brokers
  const message: JsonObject = event
  return streamRequest({
    endpoint: `kafka://${first}`,
    headers: sasl ? { authorization: basicAuth(sasl.username, sasl.password) } : {},
    params: defined({
      moreBrokers: others.length > 0 ? others : undefined,
      tls: tls || undefined,
      compression: compression === 'none' ? undefined : compression,
      caCertificate: caCertificate || undefined,
      mechanism: sasl ? sasl.mechanism : undefined,
    }),
    message: { message, userId: streamKey(event), topic },
  })
}

function kafkaTopicOf(event: TypedEvent, settings: TopicSettings): string | undefined {
  const { topic, enableMultiTopic, eventToTopicMap = [], eventTypeToTopicMap = [] } = settings
  if (enableMultiTopic !== true) return topic
  const isTrack = event.type === 'track'
  const name: unknown = isTrack ? event['event'] : event.type
  const found = typeof name === 'string' ? entryFor(name, isTrack ? eventToTopicMap : eventTypeToTopicMap) : undefined
  return found ?? topic
}

/** Limits of a request: brokers refuse larger ones by default. Source: Kafka docs, message.max.bytes. */
export const kafkaLimits = { itemsMax: 500, bytesMax: 900_000 }
