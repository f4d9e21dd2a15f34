import { configurationError, convert, respondWithCount, type SearchRule, valueAt } from '../../kit/index.ts'
import { brazeHost } from './braze-host.ts'
import { brazeRequest } from './braze-request.ts'
import type { BrazeSettings } from './braze-settings.ts'

/** Counts profiles with the userId. Source: Braze docs, Export user profile by identifier. */
export const brazeSearch: SearchRule = {
  requests({ userId = '' }, given) {
    const settings = given as BrazeSettings
    if (!settings.restApiKey || !brazeHost(convert.text(settings.dataCenter ?? '')))
      return configurationError('restApiKey and dataCenter are needed to search users')
    const body = { external_ids: [userId], fields_to_export: ['external_id'] }
    return [brazeRequest('users/export/ids', body, settings)]
  },
  respond: respondWithCount(({ status, body }) => {
    const users = valueAt(body, ['users'])
    return status < 300 && Array.isArray(users) ? users.length : undefined
  }),
}
