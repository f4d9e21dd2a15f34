import { isJsonObject } from '@sluice/core'
import type { Context } from 'hono'
import { parseAuthorization } from '../../gate/authorization.ts'
import type { WriteKeyPlace } from '../../routing/route.ts'

/** Returns the write key of a request, looked for where its route allows one; '' when it is not there. */
export function writeKeyOf({ req }: Context, place: Exclude<WriteKeyPlace, 'path'>): string {
  const inHeader = place === 'query' ? '' : (parseAuthorization(req.header('authorization'))?.user ?? '')
  const isInQuery = place === 'query' || place === 'header-or-query'
  return inHeader || (isInQuery ? (req.query('writeKey') ?? '') : '')
}

/**
 * Returns the write key in a body, where SDKs of Segment put it: as a member of it, or of the first event of a batch; '' when
 * it is not there.
 */
export function writeKeyIn(body: unknown): string {
  const { writeKey, batch } = isJsonObject(body) ? body : {}
  if (typeof writeKey === 'string' && writeKey !== '') return writeKey
  const [first] = Array.isArray(batch) ? batch : []
  return isJsonObject(first) && typeof first['writeKey'] === 'string' ? first['writeKey'] : ''
}
