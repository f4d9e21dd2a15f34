import { isJsonObject } from '@sluice/core'
import {
  configurationError,
  convert,
  encodeSegment,
  instrumentationError,
  isSegment,
  query,
  respondWithCount,
  type SearchRule,
} from '../../kit/index.ts'
import { iterableRegions } from './iterable-settings.ts'

/** Asks for the user by the userId: an empty object says that there is none. Source: Iterable docs, Get user by userId. */
export const iterableSearch: SearchRule = {
  requests({ userId = '' }, { apiKey, dataCenter }) {
    if (!apiKey) return configurationError('apiKey is needed to search users')
    const id = convert.text(userId)
    if (!isSegment(id)) return instrumentationError('the userId cannot be a path segment')
    return [
      query({
        method: 'GET',
        endpoint: `${iterableRegions.hostOf(dataCenter)}/api/users/byUserId/${encodeSegment(id)}`,
        headers: { 'Content-Type': 'application/json', api_key: convert.text(apiKey) },
      }),
    ]
  },
  respond: respondWithCount(({ status, body }) => {
    if (status !== 200 || !isJsonObject(body)) return undefined
    if (isJsonObject(body['user'])) return 1
    return Object.keys(body).length === 0 ? 0 : undefined
  }),
}
