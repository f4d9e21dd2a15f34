import { configurationError, json, respondWithCount, type SearchRule, valueAt } from '../../kit/index.ts'
import { intercomRegions } from './intercom-settings.ts'

/**
 * Counts contacts whose userId, or Intercom id, is that of the user: deletions go by the second. Source: Intercom docs,
 * Search contacts.
 */
export const intercomSearch: SearchRule = {
  requests({ userId = '' }, { apiKey, apiServer }) {
    if (!apiKey) return configurationError('apiKey is needed to search users')
    const by = (field: string) => ({ field, operator: '=', value: userId })
    return [
      json({
        method: 'POST',
        endpoint: `${intercomRegions.hostOf(apiServer)}/contacts/search`,
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json',
          Authorization: `Bearer ${apiKey}`,
          'Intercom-Version': '2.10',
        },
        body: { query: { operator: 'OR', value: [by('external_id'), by('id')] } },
      }),
    ]
  },
  respond: respondWithCount(({ body }) => {
    const count = valueAt(body, ['total_count'])
    return typeof count === 'number' ? count : undefined
  }),
}
