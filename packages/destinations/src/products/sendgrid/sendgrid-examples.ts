import { configurationError, type DeletionExample, type DestinationExample, json, query } from '../../kit/index.ts'

const settings = {
  apiKey: 'key',
  fromEmail: 'shop@example.com',
  subject: 'Thank you',
  contents: [{ type: 'text/plain', value: 'It is on its way.' }],
  eventNamesSettings: [{ event: 'Order Completed' }],
  customFieldsMapping: [{ from: 'plan', to: 'tariff' }],
}
const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer key' }

/** Examples of the SendGrid destination. */
export const sendgridExamples: readonly DestinationExample[] = [
  {
    title: 'identify adds a contact, with the custom fields of the settings',
    event: { type: 'identify', userId: 'u1', traits: { email: 'ada@example.com', firstName: 'Ada', plan: 'pro' } },
    settings,
    answers: { 'custom fields': { tariff: 'w1_T' } },
    requests: [
      json({
        method: 'PUT',
        endpoint: 'https://api.sendgrid.com/v3/marketing/contacts',
        headers,
        body: {
          contactDetails: { email: 'ada@example.com', first_name: 'Ada', custom_fields: { w1_T: 'pro' } },
          contactListIds: '',
        },
      }),
    ],
  },
  {
    title: 'track sends a mail to the receivers in its properties',
    event: {
      type: 'track',
      event: 'Order Completed',
      properties: { total: 9, personalizations: [{ to: [{ email: 'ada@example.com' }] }] },
    },
    settings: { ...settings, clickTracking: true },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://api.sendgrid.com/v3/mail/send',
        headers,
        body: {
          subject: 'Thank you',
          tracking_settings: { click_tracking: { enable: true, enable_text: false } },
          content: [{ type: 'text/plain', value: 'It is on its way.' }],
          personalizations: [{ to: [{ email: 'ada@example.com' }] }],
          from: { email: 'shop@example.com' },
          custom_args: { total: 9 },
        },
      }),
    ],
  },
  {
    title: 'track events that the settings do not name fail',
    event: { type: 'track', event: 'Read', properties: {} },
    settings,
    error: configurationError('the settings do not name this event'),
  },
]

/** Examples of deletion at SendGrid. */
export const sendgridDeletionExamples: readonly DeletionExample[] = [
  {
    title: 'contacts are deleted by their ids',
    users: [{ userId: 'eab57ccf' }, { userId: '47983ca9' }],
    settings: { apiKey: 'key' },
    requests: [
      query({
        method: 'DELETE',
        endpoint: 'https://api.sendgrid.com/v3/marketing/contacts?ids=eab57ccf,47983ca9',
        headers: { 'Content-Type': 'application/json', Authorization: 'Bearer key' },
      }),
    ],
  },
]
