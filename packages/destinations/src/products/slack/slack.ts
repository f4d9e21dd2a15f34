import type { JsonObject } from '@sluice/core'
import type { Static } from 'typebox'
import {
  configurationError,
  convert,
  defineDestination,
  eventPatterns,
  firstAt,
  form,
  generic,
  instrumentationError,
  isMappingError,
  isPresent,
  type MappingError,
  mapping,
  namedValues,
  objectOrEmpty,
  renderMessage,
  specifiedName,
  type TypedEvent,
  to,
} from '../../kit/index.ts'
import { checkSlackSettings } from './check-slack-settings.ts'
import { slackExamples } from './slack-examples.ts'
import { slackSettings } from './slack-settings.ts'

type SlackSettings = Static<typeof slackSettings>

const sender = { username: 'RudderStack', icon_url: 'https://cdn.rudderlabs.com/rudderstack.png' }
const identifyTemplate = 'Identified {{name}}{{traits}}'
const eventTemplate = '{{name}} did {{event}}'

/**
 * Posts identify and track events to Slack.
 *
 * Traits are those of the event, or those of its context if it has none. `{{traits}}` shows all of them unless the settings list
 * some. Templates can read `name`, `event`, `traits` and `propertiesList` (text), members of `traitsList` and
 * `properties`, and each property by its own name, which wins over the others.
 *
 * Source: RudderStack docs, Slack destination (settings, names, variables of templates); its recorded behaviour; Slack
 * docs, incoming webhooks (those of apps cannot change user name and icon).
 */
export const slack = defineDestination({
  type: 'SLACK',
  displayName: 'Slack',
  supports: ['identify', 'track'],
  settings: slackSettings,
  checkSettings: checkSlackSettings,
  secrets: ['webhookUrl', 'eventChannelSettings.eventChannelWebhook'],
  requests(event, settings) {
    const said = event.type === 'identify' ? sayIdentified(event, settings) : sayEvent(event, settings)
    if (isMappingError(said)) return said
    const { endpoint, ...message } = said
    return form({
      method: 'POST',
      endpoint,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: { payload: JSON.stringify(message) },
      userId: convert.text(event['userId'] ?? ''),
    })
  },
  limits: [
    'Messages have at most 40,000 characters; the rest is cut.',
    'Messages to a modern webhook of a channel have the name and icon of its Slack app.',
    'Nested objects in `propertiesList` and `traits` are printed as JSON.',
    'Values escape only `&`, `<` and `>`. RudderStack also escapes quotes, which Slack shows as entities.',
  ],
  examples: slackExamples,
})

/** A message in Slack's format, and where it is posted. */
interface Said extends Partial<typeof sender> {
  readonly endpoint: string
  readonly channel?: string
  readonly text: string
}

function sayIdentified(event: TypedEvent, settings: SlackSettings): Said | MappingError {
  const traits = traitsOf(event)
  const shown = namedValues(traitsShown(traits, settings))
  const all = namedValues(traits)
  const data = { ...all, name: nameOf(event, traits), traits: shown, traitsList: all }
  const said = renderMessage(settings.identifyTemplate?.trim() || identifyTemplate, data)
  return isMappingError(said) ? said : { endpoint: settings.webhookUrl, text: said, ...sender }
}

function sayEvent(event: TypedEvent, settings: SlackSettings): Said | MappingError {
  const name = event['event']
  if (typeof name !== 'string' || name === '') return instrumentationError('Event name is required')
  if (settings.denyListOfEvents.some(({ eventName }) => eventName && specifiedName(eventName) === specifiedName(name)))
    return configurationError(`The event ${name} is on the deny list`)

  const channels = eventPatterns(settings.eventChannelSettings)
  if (!channels.ok) return configurationError(channels.problem)
  const templates = eventPatterns(settings.eventTemplateSettings)
  if (!templates.ok) return configurationError(templates.problem)
  const channel = channels.find(name)
  const template = templates.find(name)

  const traits = traitsOf(event)
  const shown = namedValues(traitsShown(traits, settings))
  const properties = namedValues(objectOrEmpty(event['properties']))
  const data = {
    name: nameOf(event, traits),
    event: name,
    properties,
    propertiesList: properties,
    traits: shown,
    traitsList: namedValues(traits),
    ...properties,
  }
  const said = renderMessage(template?.eventTemplate?.trim() || eventTemplate, data)
  if (isMappingError(said)) return said
  const isModern = settings.incomingWebhooksType === 'modern'
  if (isModern && channel?.eventChannelWebhook) return { endpoint: channel.eventChannelWebhook, text: said }
  const room = !isModern && channel?.eventChannel ? { channel: channel.eventChannel } : {}
  return { endpoint: settings.webhookUrl, ...room, text: said, ...sender }
}

function traitsShown(traits: JsonObject, { whitelistedTraitsSettings }: SlackSettings): JsonObject {
  const listed = whitelistedTraitsSettings.flatMap(({ trait }) => (trait?.trim() ? [trait] : []))
  if (listed.length === 0) return traits
  const shown = listed.map((trait) => [trait, traits[trait]] as const)
  return Object.fromEntries(shown.filter(([, value]) => isPresent(value)))
}

const traitsGiven = firstAt(generic.traits)

function traitsOf(event: TypedEvent): JsonObject {
  const traits = traitsGiven(event)
  return objectOrEmpty(traits)
}

const naming = mapping([
  to('name').from('traits.name'),
  to('first').from('traits.firstName', 'traits.firstname', 'traits.first_name'),
  to('last').from('traits.lastName', 'traits.lastname', 'traits.last_name'),
  to('other').from('traits.username', 'properties.email', 'traits.email'),
  to('userId').from('userId'),
  to('anonymousId').from('anonymousId'),
])

/** Returns the display name of the user: a name, otherwise an identifier. */
function nameOf(event: TypedEvent, traits: JsonObject): string {
  const { name, first, last, other, userId, anonymousId } = naming({ ...event, traits }, {}) as JsonObject
  const full = [first, last].flatMap((part) => (part === undefined ? [] : [convert.text(part)])).join(' ')
  const known = name ?? (full || other)
  if (known !== undefined) return convert.text(known)
  return userId === undefined
    ? `Anonymous user ${convert.text(anonymousId ?? 'unknown')}`
    : `User ${convert.text(userId)}`
}
