import {
  type DeletionExample,
  type DestinationExample,
  instrumentationError,
  json,
  jsonArray,
} from '../../kit/index.ts'

const settings = {
  authorizationType: 'newPrivateAppApi',
  accessToken: 'token',
  apiVersion: 'newApi',
  lookupField: 'email',
  hubspotEvents: [
    {
      rsEventName: 'Read',
      hubspotEventName: 'pe1_read',
      eventProperties: [{ from: 'topic', to: 'subject' }],
    },
  ],
}
const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer token' }
const host = 'https://api.hubapi.com'
const catalogue = { 'properties of contacts': { email: 'string', firstname: 'string', started: 'date' } }
const traits = { email: 'ada@example.com', firstName: 'Ada', started: '2024-01-02T03:04:05Z', color: 'blue' }

/** Examples of the HubSpot destination. */
export const hubspotExamples: readonly DestinationExample[] = [
  {
    title: 'identify creates or updates a contact, with the traits that HubSpot has properties for',
    event: { type: 'identify', userId: 'u1', traits },
    settings,
    answers: { ...catalogue, 'unique properties of contacts': { email: true } },
    requests: [
      json({
        method: 'POST',
        endpoint: `${host}/crm/v3/objects/contacts/batch/upsert`,
        headers,
        body: {
          inputs: [
            {
              id: 'ada@example.com',
              idProperty: 'email',
              properties: { email: 'ada@example.com', firstname: 'Ada', started: 1_704_153_600_000 },
            },
          ],
        },
        endpointPath: '/crm/v3/objects/contacts/batch/upsert',
      }),
    ],
  },
  {
    title: 'track sends a custom event',
    event: { type: 'track', event: 'Read', properties: { topic: 'kilns', pages: 3 }, context: { traits } },
    settings,
    requests: [
      json({
        method: 'POST',
        endpoint: `${host}/events/v3/send`,
        headers,
        body: { email: 'ada@example.com', eventName: 'pe1_read', properties: { subject: 'kilns' } },
        endpointPath: '/events/v3/send',
      }),
    ],
  },
  {
    title: 'a row of a warehouse updates the object that was found',
    event: {
      type: 'identify',
      traits: { name: 'Acme' },
      context: {
        mappedToDestination: true,
        externalId: [{ type: 'HS-companies', identifierType: 'domain', id: 'acme.test' }],
      },
    },
    settings,
    answers: {
      ...catalogue,
      'unique properties of companies': { domain: false },
      [`object ${JSON.stringify(['companies', 'domain', 'acme.test'])}`]: ['7', true],
    },
    requests: [
      json({
        method: 'POST',
        endpoint: `${host}/crm/v3/objects/companies/batch/update`,
        headers,
        body: { inputs: [{ properties: { name: 'Acme', domain: 'acme.test' }, id: '7' }] },
        endpointPath: '/crm/v3/objects/companies/batch/update',
      }),
    ],
  },
  {
    title: 'the old API gets contacts by email',
    event: { type: 'identify', traits },
    settings: { apiKey: 'key' },
    answers: catalogue,
    requests: [
      jsonArray({
        method: 'POST',
        endpoint: `${host}/contacts/v1/contact/batch/`,
        headers: { 'Content-Type': 'application/json' },
        params: { hapikey: 'key' },
        body: [
          {
            email: 'ada@example.com',
            properties: [
              { property: 'firstname', value: 'Ada' },
              { property: 'started', value: 1_704_153_600_000 },
            ],
          },
        ],
        endpointPath: '/contacts/v1/contact/batch/',
      }),
    ],
  },
  {
    title: 'an event that the settings do not map fails',
    event: { type: 'track', event: 'Written', context: { traits } },
    settings,
    error: instrumentationError('the settings map this event to no custom event of HubSpot'),
  },
]

/** Examples of deletions at HubSpot. */
export const hubspotDeletionExamples: readonly DeletionExample[] = [
  {
    title: 'a contact is deleted by email',
    users: [{ userId: 'u1', email: 'ada@example.com' }],
    settings: { authorizationType: 'newPrivateAppApi', accessToken: 'token' },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://api.hubapi.com/crm/v3/objects/contacts/gdpr-delete',
        headers: { 'Content-Type': 'application/json', Authorization: 'Bearer token' },
        body: { objectId: 'ada@example.com', idProperty: 'email' },
        endpointPath: '/crm/v3/objects/contacts/gdpr-delete',
      }),
    ],
  },
]
