import { Type } from 'typebox'
import {
  configurationError,
  convert,
  defineDestination,
  defined,
  field,
  streamKey,
  streamRequest,
  streamTraits,
  tlsOptions,
  tlsProblems,
  tlsSettings,
  topicOf,
} from '../../kit/index.ts'
import { mqttExamples } from './mqtt-examples.ts'

/** Characters that separate or match the levels of topics, and the one that no topic may have. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: MQTT forbids NUL in topics
const special = /[/+#\u0000]/g

/**
 * Publishes events to an MQTT broker as JSON, with quality of service 1: the broker acknowledges each message.
 *
 * Source: MQTT 5.0 (OASIS), PUBLISH and PUBACK.
 */
export const mqtt = defineDestination({
  type: 'MQTT',
  displayName: 'MQTT',
  ...streamTraits({ itemsMax: 500, bytesMax: 4_000_000 }),
  settings: Type.Object({
    address: field.requiredText({
      title: 'Address',
      pattern: '^[A-Za-z0-9._-]+(?::\\d{1,5})?$',
      description: 'Host and port of the broker. Default port: 1883, or 8883 with TLS.',
      placeholder: 'broker.example.com',
      allowed: 'host:port, without a template',
      isFixed: true,
    }),
    topic: field.requiredText({
      title: 'Topic',
      description: 'Topic of events without an entry in the table, with {{ paths }} of the event.',
      placeholder: 'events/{{ type }}',
      allowed: 'a topic',
    }),
    eventToTopicMap: field.pairs({
      title: 'Topics',
      description: 'Topics by the name of track events, by message type, or * for all others.',
      from: 'Name of a track event, a message type, or *.',
      to: 'Name of the topic.',
    }),
    ...tlsSettings,
    username: field.text({ title: 'User name', description: 'Name to sign in with.', isFixed: true }),
    password: field.text({ title: 'Password', description: 'Password to sign in with.', isFixed: true }),
    retain: field.flag({
      title: 'Retain',
      description: 'Makes the broker keep the last message of each topic for new subscribers.',
    }),
  }),
  secrets: ['password'],
  checkSettings: tlsProblems,
  requests(event, given) {
    const { address, tls, username = '', password = '', retain } = given
    const topic = topicOf(event, given.topic, given.eventToTopicMap, special)
    if (topic === '') return configurationError('there is no topic for this event')
    return streamRequest({
      endpoint: `${tls ? 'mqtts' : 'mqtt'}://${address}`,
      headers: username === '' ? {} : { authorization: convert.basicAuth(username, password) },
      params: defined({ retain: retain || undefined, ...tlsOptions(given) }),
      message: { message: event, userId: streamKey(event), topic },
    })
  },
  limits: [
    'Messages have quality of service 1: one that was sent twice arrives twice.',
    'Values in topics lose / + and #, so that senders cannot choose other topics.',
  ],
  examples: mqttExamples,
})
