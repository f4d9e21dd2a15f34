import { utf8Length } from '@sluice/core/bytes'
import { Type } from 'typebox'
import {
  convert,
  defineDestination,
  field,
  instrumentationError,
  streamKey,
  streamRequest,
  streamTraits,
  tlsOptions,
  tlsProblems,
  tlsSettings,
  topicOf,
} from '../../kit/index.ts'
import { rabbitmqExamples } from './rabbitmq-examples.ts'

const keyBytesMax = 255 // bytes of a routing key. Source: AMQP 0-9-1, shortstr

/** Characters that separate or match the words of routing keys. */
const special = /[\s.*#]/g

/**
 * Publishes events to an exchange of RabbitMQ as persistent JSON messages. The broker confirms each message; one that no
 * queue takes is refused.
 *
 * Source: RabbitMQ docs, publisher confirms; AMQP 0-9-1.
 */
export const rabbitmq = defineDestination({
  type: 'RABBITMQ',
  displayName: 'RabbitMQ',
  ...streamTraits({ itemsMax: 500, bytesMax: 4_000_000 }),
  settings: Type.Object({
    address: field.requiredText({
      title: 'Address',
      pattern: '^[A-Za-z0-9._-]+(?::\\d{1,5})?$',
      description: 'Host and port of the broker. Default port: 5672, or 5671 with TLS.',
      placeholder: 'rabbit.example.com',
      allowed: 'host:port, without a template',
      isFixed: true,
    }),
    virtualHost: field.text({
      title: 'Virtual host',
      default: '/',
      description: 'Name of the virtual host.',
      isFixed: true,
    }),
    exchange: field.text({
      title: 'Exchange',
      default: '',
      description: 'Name of the exchange, which must exist. When empty, the routing key is the name of a queue.',
      isFixed: true,
    }),
    routingKey: field.requiredText({
      title: 'Routing key',
      description: 'Routing key of events without an entry in the table, with {{ paths }} of the event.',
      placeholder: 'events.{{ type }}',
      allowed: 'a routing key',
    }),
    eventToRoutingKeyMap: field.pairs({
      title: 'Routing keys',
      description: 'Routing keys by the name of track events, by message type, or * for all others.',
      from: 'Name of a track event, a message type, or *.',
      to: 'Routing key.',
    }),
    ...tlsSettings,
    username: field.text({
      title: 'User name',
      default: 'guest',
      description: 'Name to sign in with.',
      isFixed: true,
    }),
    password: field.requiredText({ title: 'Password', description: 'Password to sign in with.', isFixed: true }),
  }),
  secrets: ['password'],
  checkSettings: tlsProblems,
  requests(event, given) {
    const { address, virtualHost, exchange, tls, username, password } = given
    const topic = topicOf(event, given.routingKey, given.eventToRoutingKeyMap, special)
    if (utf8Length(topic) > keyBytesMax)
      return instrumentationError(`the routing key of the event has more than ${keyBytesMax} bytes`)
    return streamRequest({
      endpoint: `${tls ? 'amqps' : 'amqp'}://${address}`,
      headers: { authorization: convert.basicAuth(username, password) },
      params: { virtualHost, exchange, ...tlsOptions(given) },
      message: { message: event, userId: streamKey(event), topic },
    })
  },
  limits: [
    'The exchange and its queues must exist; Sluice declares none.',
    'A message is delivered when all its queues have stored it. A message that no queue takes is refused.',
    'Values in routing keys lose spaces, dots, * and #, so that senders cannot choose other queues.',
  ],
  examples: rabbitmqExamples,
})
