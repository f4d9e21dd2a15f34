import {
  configurationError,
  type DeletionExample,
  type DestinationExample,
  instrumentationError,
  json,
} from '../../kit/index.ts'

const settings = { apiKey: 'token' }
const headersOf = (version: string) => ({
  'Content-Type': 'application/json',
  Authorization: 'Bearer token',
  Accept: 'application/json',
  'Intercom-Version': version,
  'User-Agent': 'RudderStack',
})
const headers = headersOf('2.10')
const host = 'https://api.intercom.io'
const timestamp = '2024-01-02T03:04:05.000Z'
const byUserId = [{ field: 'external_id', operator: '=', value: 'u1' }]
const byEmail = [{ field: 'email', operator: '=', value: 'ada@example.com' }]

/** Examples of the Intercom destination. */
export const intercomExamples: readonly DestinationExample[] = [
  {
    title: 'identify creates a contact that a search has not found',
    event: {
      type: 'identify',
      userId: 'u1',
      traits: { email: 'ada@example.com', firstName: 'Ada', address: { city: 'Ghent' } },
    },
    settings,
    answers: { [`contact ${JSON.stringify([...byEmail, ...byUserId])}`]: null },
    requests: [
      json({
        method: 'POST',
        endpoint: `${host}/contacts`,
        headers,
        body: {
          external_id: 'u1',
          email: 'ada@example.com',
          name: 'Ada',
          custom_attributes: { 'address.city': 'Ghent' },
        },
      }),
    ],
  },
  {
    title: 'identify updates a contact that a search has found',
    event: { type: 'identify', userId: 'u1', traits: { plan: 'pro' } },
    settings,
    answers: { [`contact ${JSON.stringify(byUserId)}`]: 'c1' },
    requests: [
      json({
        method: 'PUT',
        endpoint: `${host}/contacts/c1`,
        headers,
        body: { external_id: 'u1', custom_attributes: { plan: 'pro' } },
      }),
    ],
  },
  {
    title: 'track sends an event; amounts of money and links keep their form',
    event: {
      type: 'track',
      event: 'Read',
      userId: 'u1',
      timestamp,
      properties: { price: { amount: 950, currency: 'EUR' }, page: { topic: 'kilns' } },
    },
    settings: { ...settings, apiServer: 'eu' },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://api.eu.intercom.io/events',
        headers,
        body: {
          event_name: 'Read',
          user_id: 'u1',
          metadata: { price: { amount: 950, currency: 'EUR' }, 'page.topic': 'kilns' },
          created_at: 1_704_164_645,
        },
      }),
    ],
  },
  {
    title: 'group creates a company, and then adds the contact to it',
    event: { type: 'group', userId: 'u1', groupId: 'g1', traits: { name: 'Acme', size: '5' } },
    settings,
    answers: {
      [`contact ${JSON.stringify(byUserId)}`]: 'c1',
      [`company ${JSON.stringify({ company_id: 'g1', name: 'Acme', size: 5 })}`]: 'i1',
    },
    requests: [json({ method: 'POST', endpoint: `${host}/contacts/c1/companies`, headers, body: { id: 'i1' } })],
  },
  {
    title: 'an event of an anonymous user fails, unless the settings use the anonymousId',
    event: { type: 'track', event: 'Read', anonymousId: 'a1' },
    settings,
    error: instrumentationError('the event needs an email or a userId'),
  },
]

/** Examples of deletion at Intercom. */
export const intercomDeletionExamples: readonly DeletionExample[] = [
  {
    title: 'a user is deleted permanently, at the host of the region',
    users: [{ userId: '6188c2c5f47e464b4abf3235' }],
    settings: { apiKey: 'token', apiServer: 'eu' },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://api.eu.intercom.io/user_delete_requests',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json', Authorization: 'Bearer token' },
        body: { intercom_user_id: '6188c2c5f47e464b4abf3235' },
      }),
    ],
  },
  {
    title: 'nothing is deleted without a token',
    users: [{ userId: 'u1' }],
    settings: {},
    error: configurationError('apiKey is needed to delete users'),
  },
]
