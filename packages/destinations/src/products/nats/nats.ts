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
import { natsExamples } from './nats-examples.ts'

/** Characters that separate or match the tokens of subjects. */
const special = /[\s.*>]/g

/**
 * Publishes events to NATS as JSON. With JetStream, the server acknowledges each message when it is stored, and ignores
 * copies by their messageId.
 *
 * Source: NATS docs, subject-based messaging; JetStream, publishing (`Nats-Msg-Id`).
 */
export const nats = defineDestination({
  type: 'NATS',
  displayName: 'NATS',
  ...streamTraits({ itemsMax: 500, bytesMax: 900_000 }), // NATS refuses messages above 1 MiB by default
  settings: Type.Object({
    servers: field.requiredText({
      title: 'Servers',
      pattern: '^\\s*[A-Za-z0-9._-]+(?::\\d{1,5})?(?:\\s*,\\s*[A-Za-z0-9._-]+(?::\\d{1,5})?)*\\s*$',
      description: 'Host and port of servers, separated by commas; the first that accepts is used. Default port: 4222.',
      placeholder: 'nats-1.example.com, nats-2.example.com:4223',
      allowed: 'host:port, without a template',
      isFixed: true,
    }),
    subject: field.requiredText({
      title: 'Subject',
      description: 'Subject of events without an entry in the table, with {{ paths }} of the event: events.{{ type }}.',
      placeholder: 'events.{{ type }}',
      allowed: 'a subject',
    }),
    eventToSubjectMap: field.pairs({
      title: 'Subjects',
      description: 'Subjects by the name of track events, by message type, or * for all others.',
      from: 'Name of a track event, a message type, or *.',
      to: 'Name of the subject.',
    }),
    jetStream: field.flag({
      title: 'JetStream',
      default: true,
      description: 'Waits until a stream has stored each message. Without it, messages without a listener are lost.',
      isFixed: true,
    }),
    ...tlsSettings,
    username: field.text({ title: 'User name', description: 'Name to sign in with.', isFixed: true }),
    password: field.text({ title: 'Password', description: 'Password to sign in with.', isFixed: true }),
    token: field.text({
      title: 'Token',
      description: 'Token to sign in with, instead of a user name.',
      isFixed: true,
    }),
  }),
  secrets: ['password', 'token'],
  checkSettings: tlsProblems,
  requests(event, given) {
    const { servers, jetStream, tls, username = '', password = '', token = '' } = given
    const topic = topicOf(event, given.subject, given.eventToSubjectMap, special)
    if (topic.split('.').includes('')) return configurationError('the subject of this event has an empty token')
    const [first = '', ...moreServers] = servers.split(',').map((server) => server.trim())
    const credentials = token === '' ? convert.basicAuth(username, password) : `Bearer ${token}`
    return streamRequest({
      endpoint: `nats://${first}`,
      headers: username === '' && token === '' ? {} : { authorization: credentials },
      params: defined({
        moreServers: moreServers.length > 0 ? moreServers : undefined,
        jetStream: jetStream || undefined,
        tls: tls || undefined,
        ...tlsOptions(given),
      }),
      message: { message: event, userId: streamKey(event), topic },
    })
  },
  limits: [
    'A server refuses messages of more than 1 MiB by default.',
    'A subject that no stream stores is refused when JetStream is used.',
    'Values in subjects lose spaces, dots, * and >, so that senders cannot choose other subjects.',
  ],
  examples: natsExamples,
})
