import { type JsonObject, withoutTrailing } from '@sluice/core'
import { Type } from 'typebox'
import {
  defineDestination,
  eventFilterSettings,
  everyType,
  field,
  instrumentationError,
  isJsonLarger,
  isMappingError,
  jointRequest,
  json,
  type Mapping,
  type MappingError,
  pack,
  type TypedEvent,
} from '../../kit/index.ts'
import { posthogExamples } from './posthog-examples.ts'
import { messageOf, propertiesOf } from './posthog-message.ts'

const cloud = 'https://app.posthog.com'
const eventBytesMax = 900_000 // bytes; PostHog refuses events above 1 MB, including the fields that it adds
const batchItemsMax = 1000
const batchBytesMax = 20_000_000 // source: PostHog docs, capture API

/**
 * Sends events and users to PostHog.
 *
 * Source: recorded behaviour of RudderStack's posthog destination; PostHog's capture API and its default properties.
 */
export const posthog = defineDestination({
  type: 'POSTHOG',
  displayName: 'PostHog',
  supports: everyType,
  settings: Type.Object({
    teamApiKey: field.requiredText({
      title: 'Project key',
      description: 'Key of the PostHog project.',
      allowed: 'a project key',
    }),
    yourInstance: field.text({
      title: 'Address',
      default: cloud,
      pattern: '^(https?://.*)?$',
      description: `Address of PostHog; ${cloud} if it is empty.`,
      allowed: 'an http or https address',
    }),
    ...eventFilterSettings,
    useV2Group: field.flag({ title: 'Group analytics', description: "Sends groups to PostHog's group analytics." }),
  }),
  secrets: ['teamApiKey'],
  mappings: propertiesOf,
  requests(event, settings) {
    if (!event['userId'] && !event['anonymousId']) {
      return instrumentationError('Either userId or anonymousId must be provided')
    }
    const body = bodyOf(event, settings)
    if (isMappingError(body)) return body
    if (isJsonLarger(body, eventBytesMax)) {
      return instrumentationError(`the event has more than ${eventBytesMax} bytes, which PostHog refuses`)
    }
    return json({
      method: 'POST',
      endpoint: `${withoutTrailing(settings.yourInstance || cloud, '/')}/batch`,
      headers: { 'Content-Type': 'application/json' },
      body: { ...body, api_key: settings.teamApiKey },
    })
  },
  limits: [
    'Properties that are a text are ignored; RudderStack sends each of their characters.',
    'Names of screens are sent as `$screen_name`, which PostHog shows, and as `name`.',
    `A batch has at most ${batchItemsMax} events and ${batchBytesMax} bytes.`,
    `An event of more than ${eventBytesMax} bytes fails.`,
  ],
  batch: pack({
    key: ({ request: { endpoint, body } }) => JSON.stringify([endpoint, body.JSON['api_key']]),
    itemsMax: batchItemsMax,
    bytesMax: batchBytesMax,
    merge(items) {
      const [{ request }] = items
      const batch = items.map((item) => withoutKey(item.request.body.JSON))
      const body = { api_key: request.body.JSON['api_key'], batch }
      return jointRequest({ ...request, endpointPath: '/batch' }, body)
    },
  }),
  examples: posthogExamples,
})

interface Kind {
  readonly properties: Mapping
  readonly message: Mapping
  readonly event?: string
  readonly type: string
}

/** Kind of event by message type. `type` and `event` are members of PostHog's API. */
const kinds: Readonly<Record<string, Kind>> = {
  identify: { properties: propertiesOf.identify, message: messageOf.identify, event: '$identify', type: 'identify' },
  track: { properties: propertiesOf.capture, message: messageOf.track, type: 'capture' },
  page: { properties: propertiesOf.capture, message: messageOf.page, event: '$pageview', type: 'page' },
  screen: { properties: propertiesOf.capture, message: messageOf.page, event: '$screen', type: 'screen' },
  alias: { properties: propertiesOf.alias, message: messageOf.alias, event: '$create_alias', type: 'alias' },
  group: { properties: propertiesOf.group, message: messageOf.group, event: '$groupidentify', type: 'group' },
  groupV2: { properties: propertiesOf.groupV2, message: messageOf.groupV2, event: '$groupidentify', type: 'group' },
}

function bodyOf(event: TypedEvent, settings: { readonly useV2Group: boolean }): JsonObject | MappingError {
  const kind = kinds[event.type === 'group' && settings.useV2Group ? 'groupV2' : event.type] as Kind
  const properties = kind.properties(event, settings)
  if (isMappingError(properties)) return properties
  const message = kind.message(event, settings)
  if (isMappingError(message)) return message
  return { ...message, properties, type: kind.type, ...(kind.event === undefined ? {} : { event: kind.event }) }
}

function withoutKey({ api_key: _, ...body }: JsonObject): JsonObject {
  return body
}
