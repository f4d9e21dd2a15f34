import { Type } from 'typebox'
import { configurationError, defineDeletionOnly, field, identifiersOf, json } from '../../kit/index.ts'

/**
 * Deletes visitors at Sprig. Source: Sprig docs, Purge visitors; packages/docs/behaviour/regulations.md#destinations.
 */
export const sprig = defineDeletionOnly({
  type: 'SPRIG',
  displayName: 'Sprig',
  settings: Type.Object({
    apiKey: field.text({ title: 'API key', description: 'API key of the Sprig product.' }),
  }),
  secrets: ['apiKey'],
  deletion: {
    usersMax: 100, // users per request; source: packages/docs/behaviour/regulations.md#destinations
    tolerates: [400], // sent for unknown visitors; source: packages/docs/behaviour/regulations.md#destinations
    requests(users, { apiKey }) {
      if (!apiKey) return configurationError('apiKey is needed to delete users')
      const ids = identifiersOf(users)
      if (ids.length === 0) return []
      const headers = { 'Content-Type': 'application/json', Authorization: `API-Key ${apiKey}` }
      const endpoint = 'https://api.sprig.com/v2/purge/visitors'
      return [json({ method: 'POST', endpoint, headers, body: { userIds: ids } })]
    },
    examples: [
      {
        title: 'users are deleted by their userId',
        users: [{ userId: 'u1' }, { userId: 'u2' }],
        settings: { apiKey: 'key' },
        requests: [
          json({
            method: 'POST',
            endpoint: 'https://api.sprig.com/v2/purge/visitors',
            headers: { 'Content-Type': 'application/json', Authorization: 'API-Key key' },
            body: { userIds: ['u1', 'u2'] },
          }),
        ],
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
