import { type DeletionRule, identifiersOf } from '../../kit/index.ts'
import { klaviyoDeletionExamples } from './klaviyo-examples.ts'
import { klaviyoRequest } from './klaviyo-request.ts'
import { klaviyoSearch } from './klaviyo-search.ts'

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
  search: klaviyoSearch,
  examples: klaviyoDeletionExamples,
}
