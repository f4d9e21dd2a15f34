import { isJsonObject } from '@sluice/core'
import { Type } from 'typebox'
import {
  configurationError,
  convert,
  defineDeletionOnly,
  encodeSegment,
  field,
  identifiersOf,
  instrumentationError,
  query,
} from '../../kit/index.ts'

/**
 * Deletes people at Custify. Source: Custify docs, Delete person;
 * packages/docs/behaviour/regulations.md#destinations.
 */
export const custify = defineDeletionOnly({
  type: 'CUSTIFY',
  displayName: 'Custify',
  settings: Type.Object({
    apiKey: field.text({ title: 'API key', description: 'API key of the Custify account.' }),
  }),
  secrets: ['apiKey'],
  deletion: {
    usersMax: 1,
    tolerates: [404],
    concurrency: 4,
    requests(users, { apiKey }) {
      if (!apiKey) return configurationError('apiKey is needed to delete users')
      const ids = identifiersOf(users)
      if (ids.length < users.length) return instrumentationError('userId is needed to delete a user')
      return ids.map((id) =>
        query({
          method: 'DELETE',
          endpoint: `https://api.custify.com/people?user_id=${encodeSegment(id)}`,
          headers: { Authorization: `Bearer ${apiKey}` },
        }),
      )
    },
    // Says which user it does not know: { "error": "User: u1 not found" }.
    isUnknownUser: ({ body }, { userId = '' }) =>
      isJsonObject(body) && body['error'] === `User: ${convert.text(userId)} not found`,
    examples: [
      {
        title: 'a user is deleted by the userId',
        users: [{ userId: 'u&1' }],
        settings: { apiKey: 'key' },
        requests: [
          query({
            method: 'DELETE',
            endpoint: 'https://api.custify.com/people?user_id=u%261',
            headers: { Authorization: 'Bearer key' },
          }),
        ],
      },
      {
        title: 'a user without a userId is refused',
        users: [{ email: 'a@example.com' }],
        settings: { apiKey: 'key' },
        error: instrumentationError('userId is needed to delete a user'),
      },
      {
        title: 'nothing is deleted without a key',
        users: [{ userId: 'u1' }],
        settings: {},
        error: configurationError('apiKey is needed to delete users'),
      },
    ],
  },
})
