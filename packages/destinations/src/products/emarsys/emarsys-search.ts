import { isJsonObject } from '@sluice/core'
import { configurationError, json, respondWithCount, type SearchRule, valueAt } from '../../kit/index.ts'
import { emarsysHeaders, fieldOf, traitOf } from './emarsys-headers.ts'

/** Counts contacts with the value of the identifying field. Source: Emarsys docs, Check contact IDs. */
export const emarsysSearch: SearchRule = {
  requests(user, settings, context) {
    const headers = emarsysHeaders(settings, context)
    if (headers === undefined)
      return configurationError('emersysUsername and emersysUserSecret are needed to search users')
    const field = fieldOf(settings)
    return [
      json({
        method: 'POST',
        endpoint: 'https://api.emarsys.net/api/v2/contact/checkids',
        headers,
        body: { key_id: field, external_ids: [user[traitOf(field, settings)] ?? ''] },
      }),
    ]
  },
  respond: respondWithCount(({ status, body }) => {
    if (status !== 200 || Number(valueAt(body, ['replyCode'])) !== 0) return undefined
    const ids = valueAt(body, ['data', 'ids'])
    // Without any, it is an empty list.
    if (Array.isArray(ids)) return ids.length
    return isJsonObject(ids) ? Object.keys(ids).length : undefined
  }),
}
