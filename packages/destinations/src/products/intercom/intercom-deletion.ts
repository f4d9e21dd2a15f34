import {
  configurationError,
  type DeletionRule,
  identifiersOf,
  json,
  valueAt,
  verdictByStatus,
} from '../../kit/index.ts'
import { intercomDeletionExamples } from './intercom-examples.ts'
import { intercomRegions } from './intercom-settings.ts'

/**
 * How users are deleted at Intercom, permanently, and searched. Source: Intercom docs, Permanently delete a user, Search contacts;
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
  search: {
    requests({ userId }, { apiKey, apiServer }) {
      if (!apiKey) return configurationError('apiKey is needed to search users')
      return [
        json({
          method: 'POST',
          endpoint: `${intercomRegions.hostOf(apiServer)}/contacts/search`,
          headers: {
            'Content-Type': 'application/json',
            Accept: 'application/json',
            Authorization: `Bearer ${apiKey}`,
            'Intercom-Version': '2.10',
          },
          body: { query: { field: 'external_id', operator: '=', value: userId ?? '' } },
        }),
      ]
    },
    respond(reply) {
      const records = valueAt(reply.body, ['total_count'])
      const verdict = verdictByStatus(reply)
      const message = verdict.outcome === 'delivered' ? '' : verdict.message
      return { ...verdict, items: [{ ...verdict, message, ...(typeof records === 'number' ? { records } : {}) }] }
    },
  },
  examples: intercomDeletionExamples,
}
