import { type MappingError, mappingError } from '../../map/mapping-error.ts'
import type { MappingContext } from '../define-destination.ts'

/**
 * Returns the header with the access token of the account. Without tokens it is empty: delivery then adds the header.
 * An error if there are tokens but no access token.
 */
export function bearer({ tokens }: Pick<MappingContext, 'tokens'>): Readonly<Record<string, string>> | MappingError {
  if (tokens === undefined) return {}
  const token = tokens['access_token'] ?? tokens['accessToken']
  if (typeof token === 'string' && token !== '') return { Authorization: `Bearer ${token}` }
  return mappingError('oAuthSecret', 'the account has no access token')
}
