import { type Static, Type } from 'typebox'
import { field } from '../../kit/index.ts'

/** The settings of the Mailchimp destination. Source: RudderStack docs, Mailchimp destination. */
export const mailchimpSettings = Type.Object({
  apiKey: field.requiredText({ title: 'API key', description: 'API key of the account.', allowed: 'an API key' }),
  audienceId: field.requiredText({
    title: 'Audience id',
    description: 'Audience that members are added to.',
    allowed: 'an audience id',
  }),
  datacenterId: field.requiredText({
    title: 'Data center id',
    description: 'Last part of the API key, such as us20.',
    placeholder: 'us20',
    pattern: '^[A-Za-z0-9-]+$',
    allowed: 'a data center id',
    isFixed: true,
  }),
  enableMergeFields: field.flag({
    title: 'Send merge fields',
    description: 'Sends traits as merge fields, besides the email.',
  }),
})

export type MailchimpSettings = Static<typeof mailchimpSettings>
