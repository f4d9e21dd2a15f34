import { configurationError, convert, type DeletionRule, identifiersOf, json } from '../../kit/index.ts'

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
    const host = residencyServer === 'EU' ? 'https://analytics.eu.amplitude.com' : 'https://amplitude.com'
    const request = json({
      method: 'POST',
      endpoint: `${host}/api/2/deletions/users`,
      headers: {
        'Content-Type': 'application/json',
        Authorization: convert.basicAuth(convert.text(apiKey), convert.text(apiSecret)),
      },
      // Without this, an unknown user would fail all others.
      body: { user_ids: ids, requester: 'Sluice', ignore_invalid_id: 'true' },
    })
    return [request]
  },
  examples: [
    {
      title: 'users are deleted by their userId',
      users: [{ userId: 'u1' }, { userId: 'u2' }],
      settings: { apiKey: 'key', apiSecret: 'secret' },
      requests: [
        json({
          method: 'POST',
          endpoint: 'https://amplitude.com/api/2/deletions/users',
          headers: { 'Content-Type': 'application/json', Authorization: 'Basic a2V5OnNlY3JldA==' },
          body: { user_ids: ['u1', 'u2'], requester: 'Sluice', ignore_invalid_id: 'true' },
        }),
      ],
    },
  ],
}
