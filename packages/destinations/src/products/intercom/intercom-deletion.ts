import { configurationError, type DeletionRule, identifiersOf, json } from '../../kit/index.ts'
import { intercomDeletionExamples } from './intercom-examples.ts'
import { intercomSearch } from './intercom-search.ts'
import { intercomRegions } from './intercom-settings.ts'

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
        endpoint: `${intercomRegions.hostOf(apiServer)}/user_delete_requests`,
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json',
          Authorization: `Bearer ${apiKey}`,
        },
        body: { intercom_user_id: id },
      }),
    )
  },
  search: intercomSearch,
  examples: intercomDeletionExamples,
}
