import { configurationError, convert, type DeletionRule, identifiersOf, json } from '../../kit/index.ts'
import { amplitudeDeletionExamples } from './amplitude-examples.ts'
import { amplitudeHost, amplitudeSearch } from './amplitude-search.ts'

/**
 * Deletes users by their userId. Source: Amplitude docs, User Privacy API;
 * packages/docs/behaviour/regulations.md#destinations (100 users in one call).
 */
export const amplitudeDeletion: DeletionRule = {
  usersMax: 100,
  requests(users, { apiKey, apiSecret, residencyServer }) {
    if (!apiKey || !apiSecret) return configurationError('apiKey and apiSecret are needed to delete users')
    const ids = identifiersOf(users)
    if (ids.length === 0) return []
    const authorization = convert.basicAuth(convert.text(apiKey), convert.text(apiSecret))
    const request = json({
      method: 'POST',
      endpoint: `${amplitudeHost(residencyServer)}/api/2/deletions/users`,
      headers: { 'Content-Type': 'application/json', Authorization: authorization },
      // Without ignore_invalid_id, an unknown user would fail all others.
      body: { user_ids: ids, requester: 'Sluice', ignore_invalid_id: 'true' },
    })
    return [request]
  },
  search: amplitudeSearch,
  examples: amplitudeDeletionExamples,
}
