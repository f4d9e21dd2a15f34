import { identifierText, isJsonObject, type JsonValue } from '@sluice/core'
import { type Static, Type } from 'typebox'
import {
  configurationError,
  convert,
  type DeliveryRequest,
  defineDestination,
  instrumentationError,
  isSettingTemplate,
  pack,
  sink,
  type TypedEvent,
} from '../../kit/index.ts'
import { hashFields } from './hash-fields.ts'
import { redisDeletionExample, redisExamples } from './redis-examples.ts'

const address = '(?:\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+)(?::\\d{1,5})?'

const settings = Type.Object({
  address: Type.String({
    pattern: `^${address}(?:\\s*,\\s*${address})*$`,
    description: 'Host and port of the server; in cluster mode, of some nodes, separated by commas.',
    allowed: 'host:port, without a template',
    isFixed: true,
  }),
  password: Type.String({ default: '', description: 'Password, if the server requires one.', isFixed: true }),
  username: Type.String({
    default: '',
    description: 'User name; the default user when empty.',
    isFixed: true,
    isUnlisted: true,
  }),
  clusterMode: Type.Boolean({ default: false, description: 'Whether the server is a cluster.', isFixed: true }),
  secure: Type.Boolean({ default: false, description: 'Whether to connect over TLS.', isFixed: true }),
  skipVerify: Type.Boolean({
    default: false,
    description: 'Accepts any certificate, so that attackers in the network can read and change everything.',
    isFixed: true,
  }),
  caCertificate: Type.String({
    default: '',
    description: 'Certificate (PEM) of the authority to trust instead of public ones.',
    isFixed: true,
  }),
  database: Type.Unsafe<string | number>({
    type: ['string', 'integer'],
    default: '',
    pattern: '^\\d{0,5}$',
    minimum: 0,
    description: 'Number of the database; 0 when empty, and in a cluster.',
    allowed: 'the number of a database',
    isFixed: true,
  }),
  prefix: Type.String({ default: '', description: 'Prefix of each key, followed by a colon.' }),
  useJSONModule: Type.Boolean({
    default: false,
    description: 'Stores each user as a JSON document (RedisJSON 2.6 or newer) instead of a hash.',
    isFixed: true,
  }),
})

/**
 * Stores the traits of identify events in Redis, as fields of the hash `user:<userId>`.
 *
 * Sources: packages/docs/behaviour/regulations.md#keys-of-redis; RudderStack docs, Redis destination (settings,
 * prefix).
 */
export const redis = defineDestination({
  type: 'REDIS',
  displayName: 'Redis',
  storage: 'key-value',
  isTestable: false,
  supports: ['identify'],
  settings,
  secrets: ['password'],
  requests(event, settings) {
    const userId = identifierText(event['userId'])
    if (userId === '') return instrumentationError('userId is missing: users are stored by it')
    const traits = traitsOf(event)
    if (Object.keys(traits).length === 0) return []
    const key = keyOf(userId, settings)
    const command = settings.useJSONModule
      ? ['JSON.MERGE', key, '$', JSON.stringify(traits)]
      : ['HSET', key, ...hashFields(traits)]
    return { ...commandsFor(settings, [command]), userId }
  },
  deletion: {
    usersMax: 500,
    requests(users, set) {
      const { prefix } = set as Settings
      if (isSettingTemplate(prefix))
        return configurationError('events choose the prefix, so the keys of a user are unknown')
      const commands = users.map(({ userId }) => ['DEL', keyOf(identifierText(userId), set as Settings)])
      return [commandsFor(set as Settings, commands)]
    },
    examples: [redisDeletionExample],
  },
  batch: pack({
    itemsMax: 500,
    bytesMax: 1_048_576,
    merge(items) {
      const first = items[0]?.request as DeliveryRequest
      const commands = items.flatMap(({ request }) => commandsOf(request))
      return { ...first, userId: '', body: { ...first.body, JSON: { commands } } }
    },
  }),
  examples: redisExamples,
})

type Settings = Static<typeof settings>

/** Returns the key of a user. */
function keyOf(userId: string, { prefix }: Settings): string {
  const before = convert.trim(prefix)
  return `${before === '' ? '' : `${before}:`}user:${userId}`
}

/** Returns a request that runs commands on the server in the settings. */
function commandsFor(set: Settings, commands: readonly (readonly string[])[]): DeliveryRequest {
  const { username, password, secure, clusterMode, skipVerify, caCertificate } = set
  const [node = '', ...moreNodes] = set.address.split(',').map((each) => each.trim())
  const database = clusterMode ? 0 : Number(set.database)
  return sink({
    method: 'POST',
    endpoint: `${secure ? 'rediss' : 'redis'}://${node}/${database}`,
    headers: password === '' ? {} : { authorization: convert.basicAuth(username || 'default', password) },
    params: {
      ...(clusterMode ? { clusterMode, moreNodes } : {}),
      ...(secure && skipVerify ? { skipVerify } : {}),
      ...(secure && caCertificate !== '' ? { caCertificate } : {}),
    },
    body: { commands },
  })
}

/** Returns the traits of the event, over those of its context, where browsers put them. */
function traitsOf({ traits, context }: TypedEvent) {
  const ofContext = isJsonObject(context) && isJsonObject(context['traits']) ? context['traits'] : {}
  return { ...ofContext, ...(isJsonObject(traits) ? traits : {}) }
}

function commandsOf({ body }: DeliveryRequest): readonly JsonValue[] {
  const commands = body.JSON['commands']
  return Array.isArray(commands) ? commands : []
}
