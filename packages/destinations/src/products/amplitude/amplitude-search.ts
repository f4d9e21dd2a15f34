import type { JsonValue } from '@sluice/core'
import {
  configurationError,
  convert,
  objectsIn,
  query,
  respondWithCount,
  type SearchRule,
  valueAt,
} from '../../kit/index.ts'

/**
 * Counts users with exactly the userId: Amplitude also finds those whose id begins with it. Deleted users are found
 * until Amplitude has run the deletion, which takes up to 30 days. Source: Amplitude docs, Dashboard REST API (User
 * search), User Privacy API.
 */
export const amplitudeSearch: SearchRule = {
  requests({ userId = '' }, { apiKey, apiSecret, residencyServer }) {
    if (!apiKey || !apiSecret) return configurationError('apiKey and apiSecret are needed to search users')
    return [
      query({
        method: 'GET',
        endpoint: `${amplitudeHost(residencyServer)}/api/2/usersearch`,
        headers: { Authorization: convert.basicAuth(convert.text(apiKey), convert.text(apiSecret)) },
        params: { user: convert.text(userId) },
      }),
    ]
  },
  respond: respondWithCount(({ status, body }, { params }) => {
    const matches = valueAt(body, ['matches'])
    if (status !== 200 || !Array.isArray(matches)) return undefined
    return objectsIn(matches).filter(({ user_id }) => user_id === params['user']).length
  }),
}

/** Returns the host of the APIs about users that are stored already. Source: Amplitude docs, User Privacy API. */
export function amplitudeHost(residencyServer: JsonValue | undefined): string {
  return residencyServer === 'EU' ? 'https://analytics.eu.amplitude.com' : 'https://amplitude.com'
}
