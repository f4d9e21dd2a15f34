import { isJsonObject, type JsonObject } from '@sluice/core'
import type { Static } from 'typebox'
import { text } from '../../kit/convert/text.ts'
import { defineDestination } from '../../kit/define/define-destination.ts'
import type { TypedEvent } from '../../kit/define/message-type.ts'
import { form } from '../../kit/map/delivery-request.ts'
import {
  configurationError,
  instrumentationError,
  isMappingError,
  type MappingError,
} from '../../kit/map/mapping-error.ts'
import { eventPatterns } from '../../kit/message/event-patterns.ts'
import { namedValues, renderMessage } from '../../kit/message/render-message.ts'
import { generic } from '../../kit/rules/generic-fields.ts'
import { mapping } from '../../kit/rules/mapping.ts'
import { to } from '../../kit/rules/to.ts'
import { slackExamples } from './slack-examples.ts'
import { slackSettings } from './slack-settings.ts'

type SlackSettings = Static<typeof slackSettings>

const identifyTemplate = 'Identified {{name}}{{traits}}'
const eventTemplate = '{{name}} did {{event}}'

/**
 * Posts identify and track events to Slack.
 *
 * Source: recorded behaviour of RudderStack's slack destination; RudderStack docs, Slack destination (settings, names,
 * templates).
 */
export const slack = defineDestination({
  type: 'SLACK',
  displayName: 'Slack',
  supports: ['identify', 'track'],
  settings: slackSettings,
  secrets: ['webhookUrl', 'eventChannelSettings.eventChannelWebhook'],
  requests(event, settings) {
    const said = event.type === 'identify' ? sayIdentified(event, settings) : sayEvent(event, settings)
    if (said === undefined || isMappingError(said)) return said ?? []
    const { endpoint, ...payload } = said
    const message = { ...payload, username: 'RudderStack', icon_url: 'https://cdn.rudderlabs.com/rudderstack.png' }
    return form({
      method: 'POST',
      endpoint,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: { payload: JSON.stringify(message) },
      userId: typeof event['userId'] === 'string' ? event['userId'] : '',
    })
  },
  examples: slackExamples,
})

interface Said {
  readonly endpoint: string
  readonly channel?: string
  readonly text: string
}

function sayIdentified(event: TypedEvent, settings: SlackSettings): Said | MappingError {
  const traits = traitsShown(event, settings)
  const data = { ...traits, name: nameOf(event), traits: namedValues(traits), traitsList: traits }
  const said = renderMessage(settings.identifyTemplate?.trim() || identifyTemplate, data)
  return isMappingError(said) ? said : { endpoint: settings.webhookUrl, text: said }
}

function sayEvent(event: TypedEvent, settings: SlackSettings): Said | MappingError | undefined {
  const name = event['event']
  if (typeof name !== 'string' || name === '') return instrumentationError('Event name is required')
  if (settings.denyListOfEvents.some(({ eventName }) => eventName?.trim() === name)) return undefined

  const channels = eventPatterns(settings.eventChannelSettings)
  if (!channels.ok) return configurationError(channels.problem)
  const templates = eventPatterns(settings.eventTemplateSettings)
  if (!templates.ok) return configurationError(templates.problem)
  const channel = channels.find(name)
  const template = templates.find(name)

  const traits = traitsShown(event, settings)
  const properties = isJsonObject(event['properties']) ? event['properties'] : {}
  const data = {
    name: nameOf(event),
    event: name,
    properties: namedValues(properties),
    propertiesList: properties,
    traits: namedValues(traits),
    traitsList: traits,
  }
  const said = renderMessage(template?.eventTemplate?.trim() || eventTemplate, data)
  if (isMappingError(said)) return said
  if (settings.incomingWebhooksType === 'modern') {
    return { endpoint: channel?.eventChannelWebhook || settings.webhookUrl, text: said }
  }
  return { endpoint: settings.webhookUrl, ...(channel?.eventChannel && { channel: channel.eventChannel }), text: said }
}

function traitsShown(event: TypedEvent, { whitelistedTraitsSettings }: SlackSettings): JsonObject {
  const traits = traitsOf(event)
  const shown = whitelistedTraitsSettings.flatMap(({ trait }) => {
    const value = trait ? traits[trait] : undefined
    return trait && value !== undefined && value !== null && value !== '' ? [[trait, value] as const] : []
  })
  return Object.fromEntries(shown)
}

function traitsOf(event: TypedEvent): JsonObject {
  const context = event['context']
  const inContext = isJsonObject(context) && isJsonObject(context['traits']) ? context['traits'] : {}
  return { ...inContext, ...(isJsonObject(event['traits']) ? event['traits'] : {}) }
}

const naming = mapping([
  to('name').from(generic.name),
  to('first').from(generic.firstName),
  to('last').from(generic.lastName),
  to('other').from('traits.username', 'context.traits.username', 'properties.email', ...generic.emailOnly),
  to('userId').from('userId'),
  to('anonymousId').from('anonymousId'),
])

/** Returns the display name of the user: a name, otherwise an identifier. */
function nameOf(event: TypedEvent): string {
  const { name, first, last, other, userId, anonymousId } = naming(event, {}) as JsonObject
  const full = [first, last].flatMap((part) => (part === undefined ? [] : [text(part)])).join(' ')
  const known = name ?? (full || other)
  if (known !== undefined) return text(known)
  return userId === undefined ? `Anonymous user ${text(anonymousId ?? 'unknown')}` : `User ${text(userId)}`
}
