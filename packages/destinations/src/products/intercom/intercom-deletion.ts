import { configurationError, type DeletionRule, identifiersOf, json } from '../../kit/index.ts'
import { intercomHost } from './intercom-request.ts'

/**
 * How users are deleted at Intercom, permanently. Source: Intercom docs, Permanently delete a user;
 * packages/docs/behaviour/regulations.md#destinations.
 */
export const intercomDeletion: DeletionRule = {
  usersMax: 1,
  tolerates: [404],
  concurrency: 4,
  requests(users, { apiKey, apiServer }) {
    if (!apiKey) return configurationError('apiKey is needed to delete users')
    return identifiersOf(users).map((id) =>
      json({
        method: 'POST',
        endpoint: `${intercomHost({ apiServer: apiServer as 'standard' })}/user_delete_requests`,
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
}
