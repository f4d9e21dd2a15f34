import { configurationError, type DeletionRule, identifiersOf, isMappingError, json } from '../../kit/index.ts'
import { clevertapApi } from './clevertap-api.ts'
import type { ClevertapSettings } from './clevertap-settings.ts'
import { respondToClevertap } from './respond-to-clevertap.ts'

/** Deletes users by their userId. Source: CleverTap docs, Delete User Profile API. */
export const clevertapDeletion: DeletionRule = {
  usersMax: 100, // source: CleverTap docs, Delete User Profile API
  requests(users, settings) {
    const api = clevertapApi(settings as ClevertapSettings, 'delete users')
    if (isMappingError(api)) return api
    const ids = identifiersOf(users)
    return ids.length === 0 ? [] : [api('delete/profiles.json', { identity: ids })]
  },
  respond: respondToClevertap,
  examples: [
    {
      title: 'users are deleted by their userId',
      users: [{ userId: 'u1' }, { userId: 'u2' }],
      settings: { accountId: 'id', passcode: 'pass', region: 'in1' },
      requests: [
        json({
          method: 'POST',
          endpoint: 'https://in1.api.clevertap.com/1/delete/profiles.json',
          headers: {
            'X-CleverTap-Account-Id': 'id',
            'X-CleverTap-Passcode': 'pass',
            'Content-Type': 'application/json',
          },
          body: { identity: ['u1', 'u2'] },
        }),
      ],
    },
    {
      title: 'nothing is deleted without a passcode',
      users: [{ userId: 'u1' }],
      settings: { accountId: 'id' },
      error: configurationError('accountId and passcode are needed to delete users'),
    },
  ],
}
