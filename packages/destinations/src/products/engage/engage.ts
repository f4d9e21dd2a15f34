import { Type } from 'typebox'
import {
  configurationError,
  convert,
  defineDeletionOnly,
  encodeSegment,
  field,
  identifiersOf,
  instrumentationError,
  isSegment,
  query,
} from '../../kit/index.ts'

/** Deletes users at Engage. Source: Engage docs, Users API; packages/docs/behaviour/regulations.md#destinations. */
export const engage = defineDeletionOnly({
  type: 'ENGAGE',
  displayName: 'Engage',
  settings: Type.Object({
    publicKey: field.text({ title: 'Public key', description: 'Public key of the Engage account.' }),
    privateKey: field.text({ title: 'Private key', description: 'Private key of the account.' }),
  }),
  secrets: ['privateKey'],
  deletion: {
    usersMax: 1,
    concurrency: 4,
    requests(users, { publicKey, privateKey }) {
      if (!publicKey || !privateKey) return configurationError('publicKey and privateKey are needed to delete users')
      const ids = identifiersOf(users)
      if (!ids.every(isSegment)) return instrumentationError('the userId cannot be a path segment')
      return ids.map((id) =>
        query({
          method: 'DELETE',
          endpoint: `https://api.engage.so/v1/users/${encodeSegment(id)}`,
          headers: { Authorization: convert.basicAuth(convert.text(publicKey), convert.text(privateKey)) },
        }),
      )
    },
    examples: [
      {
        title: 'a user is deleted by the userId',
        users: [{ userId: 'u1' }],
        settings: { publicKey: 'public', privateKey: 'private' },
        requests: [
          query({
            method: 'DELETE',
            endpoint: 'https://api.engage.so/v1/users/u1',
            headers: { Authorization: 'Basic cHVibGljOnByaXZhdGU=' },
          }),
        ],
      },
      {
        title: 'a userId that would change the path is refused',
        users: [{ userId: '.' }],
        settings: { publicKey: 'public', privateKey: 'private' },
        error: instrumentationError('the userId cannot be a path segment'),
      },
      {
        title: 'nothing is deleted without both keys',
        users: [{ userId: 'u1' }],
        settings: { publicKey: 'public' },
        error: configurationError('publicKey and privateKey are needed to delete users'),
      },
    ],
  },
})
