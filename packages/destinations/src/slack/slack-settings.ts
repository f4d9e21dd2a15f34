import { Type } from 'typebox'

const text = (description: string) => Type.Optional(Type.String({ description }))

const matched = {
  eventName: text('Name of the event, or a regular expression for it.'),
  eventRegex: Type.Optional(Type.Boolean({ description: 'Whether eventName is a regular expression.' })),
}

const webhook = { pattern: '^(https?://.*)?$', allowed: 'an http or https address' }

/** The settings of the Slack destination. Source: public docs of the reference's Slack destination. */
export const slackSettings = Type.Object({
  eventChannelSettings: Type.Array(
    Type.Object({
      ...matched,
      eventChannel: text('Channel for these events (#name or @user), with legacy webhooks.'),
      eventChannelWebhook: Type.Optional(
        Type.String({ ...webhook, description: 'Webhook of the channel for these events, with modern webhooks.' }),
      ),
    }),
    { default: [], description: 'Channels for single events; the first that matches counts.' },
  ),
  incomingWebhooksType: Type.Enum(['legacy', 'modern'], {
    default: 'legacy',
    description: 'Whether a channel is chosen by its name or by a webhook of its own.',
  }),
  identifyTemplate: text('Handlebars template of what is said of an identified user.'),
  eventTemplateSettings: Type.Array(
    Type.Object({ ...matched, eventTemplate: text('Handlebars template of what is said of these events.') }),
    { default: [], description: 'Templates for single events; the first that matches counts.' },
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
