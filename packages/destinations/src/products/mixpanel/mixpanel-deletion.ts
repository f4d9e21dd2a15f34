import type { JsonValue } from '@sluice/core'
import { configurationError, type DeletionRule, encodeSegment, json, jsonArray } from '../../kit/index.ts'
import { hostOf } from './mixpanel-request.ts'
import type { MixpanelSettings } from './mixpanel-settings.ts'
import { respondToDeletion } from './respond-to-mixpanel.ts'

export const profilesMax = 1000 // profiles per request, as in RudderStack; Mixpanel allows 2000
export const taskUsersMax = 1999 // Mixpanel allows 2000 ids in a deletion task

/**
 * Deletes profiles, or creates a task that deletes all data of users, which needs a separate token.
 *
 * Source: Mixpanel's API (Delete Profile, GDPR API); recorded behaviour of RudderStack's mp destination.
 */
export const mixpanelDeletion: DeletionRule = {
  usersMax: ({ userDeletionApi }) => (userDeletionApi === 'task' ? taskUsersMax : profilesMax),
  requests(users, given) {
    const settings = given as MixpanelSettings
    const ids = users.flatMap(({ userId }) => (userId ? [userId] : []))
    if (settings.userDeletionApi === 'task') {
      if (!settings.gdprApiToken) return configurationError('gdprApiToken must be a token: deletion tasks need one')
      return ids.length === 0 ? [] : [deletionTask(ids, settings, settings.gdprApiToken)]
    }
    return ids.length === 0 ? [] : [profileDeletion(ids, settings)]
  },
  respond: respondToDeletion,
  examples: [
    {
      title: 'the profile of a user is deleted',
      users: [{ userId: 'u1' }],
      settings: { token: 'token' },
      requests: [
        jsonArray({
          method: 'POST',
          endpoint: 'https://api.mixpanel.com/engage',
          headers: { 'Content-Type': 'application/json' },
          body: [{ $distinct_id: 'u1', $token: 'token', $delete: null, $ignore_alias: true }],
        }),
      ],
    },
  ],
}

function profileDeletion(ids: readonly JsonValue[], settings: MixpanelSettings) {
  return jsonArray({
    method: 'POST',
    endpoint: `${hostOf(settings)}/engage`,
    headers: { 'Content-Type': 'application/json' },
    body: ids.map((id) => ({ $distinct_id: id, $token: settings.token, $delete: null, $ignore_alias: true })),
  })
}

function deletionTask(ids: readonly JsonValue[], { dataResidency, token }: MixpanelSettings, bearer: string) {
  const host = dataResidency === 'us' ? 'https://mixpanel.com' : `https://${dataResidency}.mixpanel.com`
  return json({
    method: 'POST',
    endpoint: `${host}/api/app/data-deletions/v3.0/?token=${encodeSegment(token)}`,
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${bearer}` },
    body: { distinct_ids: ids, compliance_type: 'GDPR' },
  })
}
