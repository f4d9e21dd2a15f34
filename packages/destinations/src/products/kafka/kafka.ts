import { defined } from '@sluice/core/defined'
import { type Static, Type } from 'typebox'
import {
  certificateProblems,
  defineDestination,
  field,
  kafkaLimits,
  kafkaRequest,
  kafkaTopicSettings,
  streamTraits,
} from '../../kit/index.ts'
import { kafkaExamples } from './kafka-examples.ts'

const mechanisms = { plain: 'plain', sha256: 'scram-sha-256', sha512: 'scram-sha-512' } as const

const settings = Type.Object({
  topic: field.requiredText({
    title: 'Topic',
    description: 'Topic for events that no table sends elsewhere.',
    placeholder: 'events',
    allowed: 'the name of a topic',
  }),
  hostName: field.requiredText({
    title: 'Brokers',
    pattern: '^\\s*[A-Za-z0-9._:\\[\\]-]+(?:\\s*,\\s*[A-Za-z0-9._:\\[\\]-]+)*\\s*$',
    description: 'Host names of brokers to start from, separated by commas; each may have a port of its own.',
    placeholder: 'kafka-1.example.com, kafka-2.example.com',
    allowed: 'host names, without a template',
    isFixed: true,
  }),
  port: field.text({
    title: 'Port',
    default: '9092',
    pattern: '^\\d{1,5}$',
    description: 'Port of brokers that are named without one.',
    allowed: 'a port',
    isFixed: true,
  }),
  sslEnabled: field.flag({ title: 'TLS', description: 'Connects over TLS.', isFixed: true }),
  caCertificate: field.text({
    title: 'Certificate',
    default: '',
    description: 'Certificate (PEM) of the authority to trust instead of public ones.',
    shownWhen: { sslEnabled: true },
    isFixed: true,
  }),
  useSASL: field.flag({
    title: 'Sign in',
    description:
      'Signs in with user name and password. Without TLS, the mechanism Plain sends the password readable over the network.',
    isFixed: true,
  }),
  saslType: field.choiceOf(
    { plain: 'Plain', sha256: 'SCRAM-SHA-256', sha512: 'SCRAM-SHA-512' },
    {
      title: 'Mechanism',
      description: 'How to sign in.',
      shownWhen: { useSASL: true },
      default: 'plain',
      isFixed: true,
    },
  ),
  username: field.text({
    title: 'User name',
    description: 'Name to sign in with.',
    shownWhen: { useSASL: true },
    isFixed: true,
  }),
  password: field.text({
    title: 'Password',
    description: 'Password to sign in with.',
    shownWhen: { useSASL: true },
    isFixed: true,
  }),
  ...kafkaTopicSettings,
  compression: field.choiceOf(
    { none: 'None', gzip: 'Gzip' },
    {
      default: 'none',
      title: 'Compression',
      description: 'How batches of messages are compressed on their way to the brokers.',
      isUnlisted: true,
      isFixed: true,
    },
  ),
  convertToAvro: field.flag({ title: 'Avro', description: 'Not supported: messages are JSON.', isFixed: true }),
})

/**
 * Produces events to Kafka as JSON. Events of one user have the same key, so they stay in order in one partition.
 *
 * Source: RudderStack docs, Apache Kafka destination; recorded behaviour of RudderStack's kafka destination.
 */
export const kafka = defineDestination({
  type: 'KAFKA',
  displayName: 'Apache Kafka',
  ...streamTraits(kafkaLimits),
  settings,
  secrets: ['password'],
  checkSettings: (given) => [
    ...(given['convertToAvro'] === true
      ? [{ path: 'convertToAvro', value: true, allowed: 'false: messages are written as JSON' }]
      : []),
    ...(given['sslEnabled'] === true ? certificateProblems(given) : []),
  ],
  requests(event, given) {
    const { sslEnabled, caCertificate, compression, useSASL, saslType, username = '', password = '' } = given
    return kafkaRequest(
      event,
      given,
      defined({
        brokers: brokersOf(given),
        tls: sslEnabled,
        compression,
        caCertificate: sslEnabled && caCertificate !== '' ? caCertificate : undefined,
        sasl: useSASL ? { mechanism: mechanisms[saslType], username, password } : undefined,
      }),
    )
  },
  limits: [
    `A request has at most ${kafkaLimits.itemsMax} messages and ${kafkaLimits.bytesMax} bytes.`,
    'Messages are acknowledged by all replicas that are in sync. A message that was sent twice arrives twice.',
    'Messages that are refused for their size or form are sent in halves, until only those at fault fail.',
    'Avro and tunnels over SSH are not supported.',
  ],
  examples: kafkaExamples,
})

function brokersOf({ hostName, port }: Static<typeof settings>): readonly string[] {
  return hostName.split(',').map((name) => {
    const host = name.trim()
    return /:\d+$/.test(host) ? host : `${host}:${port}`
  })
}
