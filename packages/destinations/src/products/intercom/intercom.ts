import { Type } from 'typebox'
import { configurationError, defineDeletionOnly, eventFilterSettings, identifiersOf, json } from '../../kit/index.ts'

const hosts: Readonly<Record<string, string>> = {
  standard: 'https://api.intercom.io',
  eu: 'https://api.eu.intercom.io',
  au: 'https://api.au.intercom.io',
}

/**
 * Deletes users at Intercom permanently. Source: Intercom docs, Permanently delete a user;
 * packages/docs/behaviour/regulations.md#destinations.
 */
export const intercom = defineDeletionOnly({
  type: 'INTERCOM',
  displayName: 'Intercom',
  settings: Type.Object({
    appId: Type.Optional(Type.String({ description: 'For SDKs: id of the Intercom workspace.' })),
    apiKey: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'Access token of an Intercom app. Needed to delete users.',
      }),
    ),
    apiServer: Type.Enum(['standard', 'eu', 'au'], {
      choices: { standard: 'United States', eu: 'Europe', au: 'Australia' },
      default: 'standard',
      description: 'Region of the workspace.',
    }),
    apiVersion: Type.Enum(['v1', 'v2'], {
      choices: { v1: 'Version 1.4', v2: 'Version 2.10' },
      default: 'v2',
      description: 'Version of the events API.',
    }),
    sendAnonymousId: Type.Boolean({ default: false, description: 'Uses the anonymousId when there is no userId.' }),
    blacklistedEvents: eventFilterSettings.blacklistedEvents,
    whitelistedEvents: eventFilterSettings.whitelistedEvents,
    updateLastRequestAt: Type.Boolean({ default: true, description: 'Updates the time when the user was last seen.' }),
    eventFilteringOption: eventFilterSettings.eventFilteringOption,
  }),
  secrets: ['apiKey'],
  limits: ['Users are deleted by their Intercom id, which must be the userId.'],
  deletion: {
    usersMax: 1,
    tolerates: [404],
    concurrency: 4,
    requests(users, { apiKey, apiServer }) {
      if (!apiKey) return configurationError('apiKey is needed to delete users')
      return identifiersOf(users).map((id) =>
        json({
          method: 'POST',
          endpoint: `${hosts[String(apiServer)] ?? hosts['standard']}/user_delete_requests`,
          headers: {
            'Content-Type': 'application/json',
            Accept: 'application/json',
            Authorization: `Bearer ${apiKey}`,
          },
          body: { intercom_user_id: id },
        }),
      )
    },
    examples: [
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
    ],
  },
})
