import { Type } from 'typebox'
import { templateLengthMax } from '../../kit/index.ts'

const text = (description: string) => Type.Optional(Type.String({ description }))

const matched = {
  eventName: Type.Optional(
    Type.String({
      description: 'Name of the event, or a regular expression for it (RE2: no look-around or backreferences).',
      isFixed: true,
      allowed: 'a string, without a template for events',
    }),
  ),
  eventRegex: Type.Optional(Type.Boolean({ description: 'Whether eventName is a regular expression.' })),
}

const template = (description: string) =>
  Type.Optional(
    Type.String({
      description: `${description} At most ${templateLengthMax} characters; helpers: if, unless, each and with.`,
      isFixed: true,
      allowed: 'a Handlebars template, the same for all events',
    }),
  )

/** Limited because templates take time to parse, and each may have the maximum length. */
const listsMax = { maxItems: 100, allowed: 'a list of at most 100 entries' }

const webhook = { pattern: '^(https?://.*)?$', allowed: 'an http or https address' }

/** The settings of the Slack destination. Source: RudderStack docs, Slack destination. */
export const slackSettings = Type.Object({
  eventChannelSettings: Type.Array(
    Type.Object({
      ...matched,
      eventChannel: text('Channel for these events (#name or @user), with legacy webhooks.'),
      eventChannelWebhook: Type.Optional(
        Type.String({ ...webhook, description: 'Webhook of the channel for these events, with modern webhooks.' }),
      ),
    }),
    { ...listsMax, default: [], description: 'Channels for events; the first match counts.' },
  ),
  incomingWebhooksType: Type.Enum(['legacy', 'modern'], {
    choices: { legacy: 'Legacy webhook', modern: 'Webhook of an app' },
    default: 'legacy',
    description: 'Whether channels are chosen by name (legacy) or have their own webhooks (modern).',
  }),
  identifyTemplate: template(
    'Handlebars template of the message for identify events. It can read name, traits (text), and each trait.',
  ),
  eventTemplateSettings: Type.Array(
    Type.Object({
      ...matched,
      eventTemplate: template(
        'Handlebars template of the message for these events. It can read name, event, propertiesList and traits (text), properties.x or x, and traitsList.x.',
      ),
    }),
    { ...listsMax, default: [], description: 'Templates for events; the first match counts.' },
  ),
  webhookUrl: Type.String({
    minLength: 1,
    ...webhook,
    description: 'Incoming webhook for all messages without their own channel.',
  }),
  whitelistedTraitsSettings: Type.Array(Type.Object({ trait: text('Name of a trait.') }), {
    default: [],
    description: 'Traits that may be shown; all when empty.',
  }),
  denyListOfEvents: Type.Array(Type.Object({ eventName: text('Name of the event.') }), {
    default: [],
    description: 'Track events that are not posted; they fail.',
  }),
})
