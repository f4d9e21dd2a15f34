import { Type } from 'typebox'
import { field, templateLengthMax } from '../../kit/index.ts'

const member = (description: string) => Type.Optional(Type.String({ description }))

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

const template = (title: string, description: string) =>
  field.text({
    title,
    description: `${description} At most ${templateLengthMax} characters; helpers: if, unless, each and with.`,
    isFixed: true,
    allowed: 'a Handlebars template, the same for all events',
  })

/** Limited because templates take time to parse, and each may have the maximum length. */
const listsMax = { maxItems: 100, allowed: 'a list of at most 100 entries' }

const webhook = { pattern: '^(https?://.*)?$', allowed: 'an http or https address' }

/** The settings of the Slack destination. Source: RudderStack docs, Slack destination. */
export const slackSettings = Type.Object({
  eventChannelSettings: field.list(
    Type.Object({
      ...matched,
      eventChannel: member('Channel for these events (#name or @user), with legacy webhooks.'),
      eventChannelWebhook: Type.Optional(
        Type.String({ ...webhook, description: 'Webhook of the channel for these events, with modern webhooks.' }),
      ),
    }),
    { title: 'Channels of events', ...listsMax, description: 'Channels for events; the first match counts.' },
  ),
  incomingWebhooksType: field.choiceOf(
    { legacy: 'Legacy webhook', modern: 'Webhook of an app' },
    {
      title: 'Kind of webhook',
      default: 'legacy',
      description: 'Whether channels are chosen by name (legacy) or have their own webhooks (modern).',
    },
  ),
  identifyTemplate: template(
    'Message for identify events',
    'Handlebars template of the message for identify events. It can read name, traits (text), and each trait.',
  ),
  eventTemplateSettings: field.list(
    Type.Object({
      ...matched,
      eventTemplate: template(
        'Message',
        'Handlebars template of the message for these events. It can read name, event, propertiesList and traits (text), properties.x or x, and traitsList.x.',
      ),
    }),
    { title: 'Messages for events', ...listsMax, description: 'Templates for events; the first match counts.' },
  ),
  webhookUrl: field.requiredText({
    title: 'Webhook',
    ...webhook,
    description: 'Incoming webhook for all messages without their own channel.',
  }),
  whitelistedTraitsSettings: field.list(Type.Object({ trait: member('Name of a trait.') }), {
    title: 'Traits to show',
    description: 'Traits that may be shown; all when empty.',
  }),
  denyListOfEvents: field.list(Type.Object({ eventName: member('Name of the event.') }), {
    title: 'Events to leave out',
    description: 'Track events that are not posted; they fail.',
  }),
})
