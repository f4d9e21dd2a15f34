import { configurationError, type DestinationExample, json } from '../../kit/index.ts'

const settings = { userName: 'ada', password: 'secret', clientId: 'app', clientSecret: 'app-secret' }
const session = { session: { access_token: 'token', instance_url: 'https://acme.my.salesforce.com' } }
const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer token' }
const host = 'https://acme.my.salesforce.com/services/data/v50.0'
const traits = { email: 'ada@example.com', name: 'Ada Lovelace', plan: 'pro' }

/** Examples of the Salesforce destination. */
export const salesforceExamples: readonly DestinationExample[] = [
  {
    title: 'identify creates a lead that Salesforce does not know',
    event: { type: 'identify', userId: 'u1', traits },
    settings,
    answers: { ...session, 'lead "ada@example.com"': null },
    requests: [
      json({
        method: 'POST',
        endpoint: `${host}/sobjects/Lead`,
        headers,
        body: {
          Email: 'ada@example.com',
          FirstName: 'Ada',
          LastName: 'Lovelace',
          Company: 'n/a',
          plan__c: 'pro',
        },
      }),
    ],
  },
  {
    title: 'identify updates the contact of a lead that was converted, if the settings say so',
    event: { type: 'identify', userId: 'u1', traits },
    settings: { ...settings, useContactId: true },
    answers: { ...session, 'lead "ada@example.com"': { Id: 'l1', IsConverted: true, ConvertedContactId: 'c1' } },
    requests: [
      json({
        method: 'POST',
        endpoint: `${host}/sobjects/Contact/c1?_HttpMethod=PATCH`,
        headers,
        body: { Email: 'ada@example.com', FirstName: 'Ada', LastName: 'Lovelace', plan__c: 'pro' },
      }),
    ],
  },
  {
    title: 'a row of a warehouse becomes a record of the object that it is mapped to',
    event: {
      type: 'identify',
      traits: { Size__c: 'L' },
      context: {
        mappedToDestination: true,
        externalId: [{ type: 'SALESFORCE-shirt__c', identifierType: 'Sku__c', id: 's1' }],
      },
    },
    settings,
    answers: { ...session, [`record ${JSON.stringify(['shirt__c', 'Sku__c', 's1'])}`]: null },
    requests: [
      json({
        method: 'POST',
        endpoint: `${host}/sobjects/shirt__c`,
        headers,
        body: { Size__c: 'L', Sku__c: 's1' },
      }),
    ],
  },
  {
    title: 'nothing is sent without a password or an account',
    event: { type: 'identify', userId: 'u1', traits },
    settings: {},
    error: configurationError('userName, password, clientId and clientSecret are needed without an account'),
  },
]
