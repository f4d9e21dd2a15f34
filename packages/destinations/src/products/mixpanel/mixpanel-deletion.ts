import {
  configurationError,
  type DeletionRule,
  encodeSegment,
  identifiersOf,
  json,
  jsonArray,
} from '../../kit/index.ts'
import { mixpanelDeletionExamples } from './mixpanel-examples.ts'
import { hostOf } from './mixpanel-request.ts'
import type { MixpanelSettings } from './mixpanel-settings.ts'
import { respondToDeletion } from './respond-to-mixpanel.ts'

export const profilesMax = 1000 // profiles per request, as in RudderStack; Mixpanel allows 2000
export const taskUsersMax = 1999 // Mixpanel allows 2000 ids in a deletion task

const type = { 'Content-Type': 'application/json' }

/**
 * Deletes profiles, or creates a task that deletes all data of users, which needs a separate token.
 *
 * Source: Mixpanel's API (Delete Profile, GDPR API); recorded behaviour of RudderStack's mp destination.
 */
export const mixpanelDeletion: DeletionRule = {
  usersMax: ({ userDeletionApi }) => (userDeletionApi === 'task' ? taskUsersMax : profilesMax),
  requests(users, given) {
    const settings = given as MixpanelSettings
    const { userDeletionApi, gdprApiToken, dataResidency: region, token } = settings
    const isTask = userDeletionApi === 'task'
    if (isTask && !gdprApiToken) return configurationError('gdprApiToken must be a token: deletion tasks need one')
    const ids = identifiersOf(users)
    if (ids.length === 0) return []
    if (!isTask) {
      const profiles = ids.map((id) => ({ $distinct_id: id, $token: token, $delete: null, $ignore_alias: true }))
      return [jsonArray({ method: 'POST', endpoint: `${hostOf(settings)}/engage`, headers: type, body: profiles })]
    }
    const host = region === 'us' ? 'https://mixpanel.com' : `https://${region}.mixpanel.com`
    const task = json({
      method: 'POST',
      endpoint: `${host}/api/app/data-deletions/v3.0/?token=${encodeSegment(token)}`,
      headers: { ...type, Authorization: `Bearer ${gdprApiToken}` },
      body: { distinct_ids: ids, compliance_type: 'GDPR' },
    })
    return [task]
  },
  respond: respondToDeletion,
  examples: mixpanelDeletionExamples,
}
