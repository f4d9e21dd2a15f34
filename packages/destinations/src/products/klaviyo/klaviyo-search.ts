import { configurationError, query, respondWithCount, type SearchRule, valueAt } from '../../kit/index.ts'
import { klaviyoHeaders } from './klaviyo-request.ts'

/** Counts profiles with the email. Source: Klaviyo docs, Get profiles (needs the scope profiles:read). */
export const klaviyoSearch: SearchRule = {
  requests({ email = '' }, { privateApiKey }) {
    if (!privateApiKey) return configurationError('privateApiKey is needed to search profiles')
    // A string of a filter is written like one of JSON.
    const filter = `equals(email,${JSON.stringify(email)})`
    return [
      query({
        method: 'GET',
        endpoint: 'https://a.klaviyo.com/api/profiles',
        headers: klaviyoHeaders({ privateApiKey: String(privateApiKey), apiVersion: 'v2' }),
        params: { filter, 'fields[profile]': 'email' },
      }),
    ]
  },
  respond: respondWithCount(({ status, body }) => {
    const profiles = valueAt(body, ['data'])
    return status === 200 && Array.isArray(profiles) ? profiles.length : undefined
  }),
}
