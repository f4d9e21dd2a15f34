import { Type } from 'typebox'
import {
  configurationError,
  defineDestination,
  field,
  parseServiceAccount,
  serviceAccountToken,
  streamKey,
  streamRequest,
  streamTraits,
  topicInTable,
} from '../../kit/index.ts'
import { attributesOf } from './attributes-of.ts'
import { googlePubsubExamples } from './google-pubsub-examples.ts'

/**
 * Publishes events to topics of Google Cloud Pub/Sub as JSON. The ordering key is the user, where a topic is read with
 * ordering.
 *
 * Source: RudderStack docs, Google Pub/Sub destination; recorded behaviour of RudderStack's googlepubsub destination;
 * Google docs, REST API of Pub/Sub (projects.topics.publish).
 */
export const googlePubsub = defineDestination({
  type: 'GOOGLEPUBSUB',
  displayName: 'Google Pub/Sub',
  ...streamTraits({ itemsMax: 1_000, bytesMax: 7_000_000 }), // Source: Google docs, quotas of Pub/Sub
  settings: Type.Object({
    projectId: field.requiredText({
      title: 'Project ID',
      pattern: '^[a-z][a-z0-9:.-]{4,60}$',
      description: 'Id of the Google Cloud project.',
      allowed: 'the id of a project',
      isFixed: true,
    }),
    credentials: field.requiredText({
      title: 'Credentials',
      description: 'Key of a service account that may publish, as JSON text.',
      placeholder: '{"type": "service_account", …}',
      isFixed: true,
    }),
    eventToTopicMap: field.pairs({
      title: 'Topics',
      description: 'Topics by the name of track events, by message type, or * for all others.',
      from: 'Name of a track event, a message type, or *.',
      to: 'Id of the topic.',
    }),
    eventToAttributesMap: field.pairs({
      title: 'Attributes',
      description: 'Attributes of messages: values of the event, by the same names as the topics.',
      from: 'Name of a track event, a message type, or *.',
      to: 'Key path in the event or its properties. The last key names the attribute.',
    }),
  }),
  secrets: ['credentials'],
  checkSettings: ({ credentials }) =>
    parseServiceAccount(String(credentials)) === undefined
      ? [{ path: 'credentials', value: undefined, allowed: 'the JSON of a key with client_email and private_key' }]
      : [],
  account: serviceAccountToken('https://www.googleapis.com/auth/pubsub'),
  requests(event, { projectId, eventToTopicMap, eventToAttributesMap }) {
    const topicId = topicInTable(event, eventToTopicMap)
    if (topicId === undefined) return configurationError('no topic is set for this event')
    return streamRequest({
      endpoint: 'pubsub://pubsub.googleapis.com',
      params: { origin: 'https://pubsub.googleapis.com', projectId },
      message: {
        userId: streamKey(event),
        message: event,
        topicId,
        attributes: attributesOf(event, eventToAttributesMap),
      },
    })
  },
  limits: ['A request has at most 1,000 messages and 7,000,000 bytes, for one topic.'],
  examples: googlePubsubExamples,
})
