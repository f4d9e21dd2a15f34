import { type DestinationExample, instrumentationError, json } from '../../kit/index.ts'

const settings = { customerId: '123-456-7890', audienceId: '7' }

/** The examples of the Google Ads Remarketing Lists destination. */
export const googleAdwordsRemarketingListsExamples: readonly DestinationExample[] = [
  {
    title: 'people are added to a list, and removed from it',
    event: {
      type: 'audiencelist',
      properties: {
        listData: {
          add: [{ email: 'Ida@example.com', phone: '+49 155 50100' }],
          remove: [{ email: 'tom@example.com' }],
        },
      },
    },
    settings,
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://googleads.googleapis.com/v23/customers/1234567890/offlineUserDataJobs',
        headers: { 'Content-Type': 'application/json' },
        params: {
          listId: '7',
          customerId: '1234567890',
          consent: { adPersonalization: 'UNSPECIFIED', adUserData: 'UNSPECIFIED' },
        },
        endpointPath: 'offlineUserDataJobs',
        body: {
          operations: [
            {
              create: {
                userIdentifiers: [
                  { hashedEmail: '2183cce8ca8f05aa3322c18bd1b547d42c11757e838b84a0d4d3e4b31bf4e1e1' },
                  { hashedPhoneNumber: '0814b2438e5338a8488b44aee2fcf018ed8134a6addf5e04ff94b379622d524a' },
                ],
              },
            },
          ],
        },
      }),
      json({
        method: 'POST',
        endpoint: 'https://googleads.googleapis.com/v23/customers/1234567890/offlineUserDataJobs',
        headers: { 'Content-Type': 'application/json' },
        params: {
          listId: '7',
          customerId: '1234567890',
          consent: { adPersonalization: 'UNSPECIFIED', adUserData: 'UNSPECIFIED' },
        },
        endpointPath: 'offlineUserDataJobs',
        body: {
          operations: [
            {
              remove: {
                userIdentifiers: [{ hashedEmail: '72bb75a959e1785b79ffe7230eaeec25880707a91b4a4f98330fc1510bd40e03' }],
              },
            },
          ],
        },
      }),
    ],
  },
  {
    title: 'a row of a warehouse is added through the Data Manager',
    event: { type: 'record', action: 'insert', fields: { email: 'Ida@example.com' } },
    settings: { ...settings, api: 'dataManager', userDataConsent: 'GRANTED', personalizationConsent: 'DENIED' },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://datamanager.googleapis.com/v1/audienceMembers:ingest',
        headers: { 'Content-Type': 'application/json' },
        endpointPath: '/v1/audienceMembers:ingest',
        body: {
          destinations: [
            { operatingAccount: { accountId: '1234567890', accountType: 'GOOGLE_ADS' }, productDestinationId: '7' },
          ],
          audienceMembers: [
            {
              userData: {
                userIdentifiers: [{ emailAddress: '2183cce8ca8f05aa3322c18bd1b547d42c11757e838b84a0d4d3e4b31bf4e1e1' }],
              },
              consent: { adUserData: 'CONSENT_GRANTED', adPersonalization: 'CONSENT_DENIED' },
            },
          ],
          encoding: 'HEX',
          consent: { adUserData: 'CONSENT_GRANTED', adPersonalization: 'CONSENT_DENIED' },
          termsOfService: { customerMatchTermsOfServiceStatus: 'ACCEPTED' },
        },
      }),
    ],
  },
  {
    title: 'the settings of a connection win',
    event: { type: 'record', action: 'delete', identifiers: { thirdPartyUserId: 'u1' } },
    settings,
    connection: { config: { destination: { audienceId: '8', typeOfList: 'userID' } } },
    requests: [
      json({
        method: 'POST',
        endpoint: 'https://googleads.googleapis.com/v23/customers/1234567890/offlineUserDataJobs',
        headers: { 'Content-Type': 'application/json' },
        params: {
          listId: '8',
          customerId: '1234567890',
          consent: { adPersonalization: 'UNSPECIFIED', adUserData: 'UNSPECIFIED' },
        },
        endpointPath: 'offlineUserDataJobs',
        body: { operations: [{ remove: { userIdentifiers: [{ thirdPartyUserId: 'u1' }] } }] },
      }),
    ],
  },
  {
    title: 'a row without identifiers fails',
    event: { type: 'record', action: 'insert', fields: { email: 'not an email' } },
    settings,
    error: instrumentationError('the event has no valid identifiers'),
  },
]
