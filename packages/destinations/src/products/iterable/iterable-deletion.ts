import {
  configurationError,
  convert,
  type DeletionRule,
  encodeSegment,
  identifiersOf,
  instrumentationError,
  isSegment,
  query,
} from '../../kit/index.ts'
import { iterableDeletionExamples } from './iterable-examples.ts'
import { iterableSearch } from './iterable-search.ts'
import { iterableRegions } from './iterable-settings.ts'

/** How users are deleted at Iterable. Source: Iterable docs, Delete user by userId. */
export const iterableDeletion: DeletionRule = {
  usersMax: 1,
  tolerates: [404],
  concurrency: 10,
  requests(users, { apiKey, dataCenter }) {
    if (!apiKey) return configurationError('apiKey is needed to delete users')
    const ids = identifiersOf(users)
    if (!ids.every(isSegment)) return instrumentationError('the userId cannot be a path segment')
    return ids.map((id) =>
      query({
        method: 'DELETE',
        endpoint: `${iterableRegions.hostOf(dataCenter)}/api/users/byUserId/${encodeSegment(id)}`,
        headers: { 'Content-Type': 'application/json', api_key: convert.text(apiKey) },
      }),
    )
  },
  search: iterableSearch,
  examples: iterableDeletionExamples,
}
