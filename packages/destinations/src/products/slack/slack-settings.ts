import { Type } from 'typebox'
import { templateLengthMax } from '../../kit/message/message-template.ts'

const text = (description: string) => Type.Optional(Type.String({ description }))

const matched = {
  eventName: Type.Optional(
    Type.String({
      description: 'Name of the event, or a regular expression for it (RE2: without look-around and back references).',
      isFixed: true,
      allowed: 'a text, which no event may decide',
    }),
  ),
  eventRegex: Type.Optional(Type.Boolean({ description: 'Whether eventName is a regular expression.' })),
}

const template = (description: string) =>
  Type.Optional(
    Type.String({
      description: `${description} At most ${templateLengthMax} characters; of its helpers if, unless, each and with.`,
      isMessageTemplate: true,
      isFixed: true,
      allowed: 'a Handlebars template, which no event may decide',
    }),
  )

/** Templates take time to read, and each may be as long as allowed. */
const listsMax = { maxItems: 100, hasEventPatterns: true, allowed: 'a list of at most 100 entries' }

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
    { ...listsMax, default: [], description: 'Channels for single events; the first that matches counts.' },
  ),
  incomingWebhooksType: Type.Enum(['legacy', 'modern'], {
    default: 'legacy',
    description: 'Whether a channel is chosen by its name or by a webhook of its own.',
  }),
  identifyTemplate: template('Handlebars template of what is said of an identified user.'),
  eventTemplateSettings: Type.Array(
    Type.Object({ ...matched, eventTemplate: template('Handlebars template of what is said of these events.') }),
    { ...listsMax, default: [], description: 'Templates for single events; the first that matches counts.' },
  ),
  webhookUrl: Type.String({
    minLength: 1,
    ...webhook,
    description: 'Incoming webhook for everything that has no channel of its own.',
  }),
  whitelistedTraitsSettings: Type.Array(Type.Object({ trait: text('Name of a trait.') }), {
    default: [],
    description: 'The traits that may be shown.',
  }),
  denyListOfEvents: Type.Array(Type.Object({ eventName: text('Name of the event.') }), {
    default: [],
    description: 'Track events that are not told.',
  }),
})
