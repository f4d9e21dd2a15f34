import { type DeletionRule, identifiersOf, json } from '../../kit/index.ts'
import { klaviyoRequest } from './klaviyo-request.ts'

/** How profiles are deleted at Klaviyo. Source: Klaviyo docs, Request profile deletion. */
export const klaviyoDeletion: DeletionRule = {
  usersMax: 1,
  identifier: () => 'email',
  tolerates: [404],
  requests: (users, { privateApiKey }) =>
    identifiersOf(users, 'email').map((email) => {
      const profile = { data: { type: 'profile', attributes: { email } } }
      const data = { type: 'data-privacy-deletion-job', attributes: { profile } }
      const settings = { privateApiKey: String(privateApiKey), apiVersion: 'v2' } as const
      return klaviyoRequest({ path: '/api/data-privacy-deletion-jobs', data }, settings)
    }),
  examples: [
    {
      title: 'a user is deleted by email',
      users: [{ userId: 'u1', email: 'ada@example.com' }],
      settings: { privateApiKey: 'key' },
      requests: [
        json({
          method: 'POST',
          endpoint: 'https://a.klaviyo.com/api/data-privacy-deletion-jobs',
          headers: {
            Authorization: 'Klaviyo-API-Key key',
            Accept: 'application/json',
            'Content-Type': 'application/json',
            revision: '2024-10-15',
          },
          body: {
            data: {
              type: 'data-privacy-deletion-job',
              attributes: { profile: { data: { type: 'profile', attributes: { email: 'ada@example.com' } } } },
            },
          },
          endpointPath: '/api/data-privacy-deletion-jobs',
        }),
      ],
    },
  ],
}
