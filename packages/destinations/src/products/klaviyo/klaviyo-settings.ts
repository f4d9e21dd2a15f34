import { type Static, Type } from 'typebox'
import { eventFilterSettings, field } from '../../kit/index.ts'

/** The settings of the Klaviyo destination. Source: RudderStack docs, Setting up Klaviyo. */
export const klaviyoSettings = Type.Object({
  apiVersion: field.choiceOf(
    { v1: 'Old (2023-02-22)', v2: 'New (2024-10-15)', v3: 'New (2026-04-15)' },
    { title: 'API version', description: 'Revision of the Klaviyo API. Klaviyo has retired v1.', default: 'v1' },
  ),
  publicApiKey: field.text({ title: 'Public API key', description: 'For SDKs: public key of the account.' }),
  privateApiKey: field.requiredText({ title: 'Private API key', description: 'Private key of the account.' }),
  consent: field.list(Type.String({ description: 'email or sms.' }), {
    title: 'Consent',
    description: 'Channels of subscriptions, for events that do not name channels themselves: email, sms.',
    allowed: 'a list of channels',
  }),
  flattenProperties: field.flag({
    title: 'Flatten properties',
    description: 'Sends nested properties and traits on one level.',
  }),
  listId: field.text({
    title: 'List id',
    description: 'List that users are subscribed to, for events that do not name a list themselves.',
  }),
  enforceEmailAsPrimary: field.flag({
    title: 'Identify by email or phone',
    description: 'Sends the userId as the property _id. The old revision then refuses events without email and phone.',
  }),
  ...eventFilterSettings,
})

export type KlaviyoSettings = Static<typeof klaviyoSettings>
