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

/** How users are deleted at Iterable. Source: Iterable docs, Delete user by userId. */
export const iterableDeletion: DeletionRule = {
  usersMax: 1,
  tolerates: [404],
  concurrency: 10,
  requests(users, { apiKey, dataCenter }) {
    if (!apiKey) return configurationError('apiKey is needed to delete users')
    const host = dataCenter === 'EUDC' ? 'https://api.eu.iterable.com' : 'https://api.iterable.com'
    const ids = identifiersOf(users)
    if (!ids.every(isSegment)) return instrumentationError('the userId cannot be a path segment')
    return ids.map((id) =>
      query({
        method: 'DELETE',
        endpoint: `${host}/api/users/byUserId/${encodeSegment(id)}`,
        headers: { 'Content-Type': 'application/json', api_key: convert.text(apiKey) },
      }),
    )
  },
  examples: [
    {
      title: 'a user is deleted by the userId',
      users: [{ userId: 'u/1' }],
      settings: { apiKey: 'key', dataCenter: 'EUDC' },
      requests: [
        query({
          method: 'DELETE',
          endpoint: 'https://api.eu.iterable.com/api/users/byUserId/u%2F1',
          headers: { 'Content-Type': 'application/json', api_key: 'key' },
        }),
      ],
    },
    {
      title: 'a userId that would change the path is refused',
      users: [{ userId: '..' }],
      settings: { apiKey: 'key' },
      error: instrumentationError('the userId cannot be a path segment'),
    },
    {
      title: 'nothing is deleted without a key',
      users: [{ userId: 'u1' }],
      settings: {},
      error: configurationError('apiKey is needed to delete users'),
    },
  ],
}
