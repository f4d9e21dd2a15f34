import { identifierText, type JsonValue } from '@sluice/core'
import { type Static, Type } from 'typebox'
import {
  configurationError,
  convert,
  type DeliveryRequest,
  defineDestination,
  field,
  instrumentationError,
  isSettingTemplate,
  objectOrEmpty,
  pack,
  redisCommands,
  redisServerSettings,
  respondWithCount,
  type TypedEvent,
  valueAt,
} from '../../kit/index.ts'
import { hashFields } from './hash-fields.ts'
import { redisDeletionExample, redisExamples } from './redis-examples.ts'

const settings = Type.Object({
  ...redisServerSettings,
  prefix: field.text({ title: 'Prefix', default: '', description: 'Prefix of each key, followed by a colon.' }),
  useJSONModule: field.flag({
    title: 'JSON documents',
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
    return { ...redisCommands(settings, [command]), userId }
  },
  deletion: {
    usersMax: 500,
    requests(users, set) {
      const { prefix } = set as Settings
      if (isSettingTemplate(prefix)) return keysUnknown
      const commands = users.map(({ userId }) => ['DEL', keyOf(identifierText(userId), set as Settings)])
      return [redisCommands(set as Settings, commands)]
    },
    findsWritings: true,
    search: {
      requests({ userId }, set) {
        const { prefix } = set as Settings
        if (isSettingTemplate(prefix)) return keysUnknown
        return [redisCommands(set as Settings, [['EXISTS', keyOf(identifierText(userId), set as Settings)]])]
      },
      respond: respondWithCount(({ body }) => {
        const count = valueAt(body, ['0'])
        return typeof count === 'number' ? count : undefined
      }),
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

const keysUnknown = configurationError('events choose the prefix, so the keys of a user are unknown')

type Settings = Static<typeof settings>

/** Returns the key of a user. */
function keyOf(userId: string, { prefix }: Settings): string {
  const before = convert.trim(prefix)
  return `${before === '' ? '' : `${before}:`}user:${userId}`
}

/** Returns the traits of the event, over those of its context, where browsers put them. */
function traitsOf({ traits, context }: TypedEvent) {
  const ofContext = objectOrEmpty(valueAt(context, ['traits']))
  return { ...ofContext, ...objectOrEmpty(traits) }
}

function commandsOf({ body }: DeliveryRequest): readonly JsonValue[] {
  const commands = body.JSON['commands']
  return Array.isArray(commands) ? commands : []
}
