import { isJsonObject } from '@sluice/core'
import type { Context } from 'hono'
import { parseAuthorization } from '../../gate/access/authorization.ts'
import type { WriteKeyPlace } from '../../routing/route.ts'

/** Returns the write key of a request, looked for where its route allows one; '' when it is not there. */
export function writeKeyOf({ req }: Context, place: Exclude<WriteKeyPlace, 'path'>): string {
  const inHeader = place === 'query' ? '' : (parseAuthorization(req.header('authorization'))?.user ?? '')
  const isInQuery = place === 'query' || place === 'header-or-query'
  return inHeader || (isInQuery ? (req.query('writeKey') ?? '') : '')
}

/**
 * Returns the write keys in a body, where SDKs of Segment put them: as a member of it, and of the first event of a batch.
 * Blank ones count as absent; others may be no text.
 */
export function writeKeysIn(body: unknown): readonly unknown[] {
  const { writeKey, batch } = isJsonObject(body) ? body : {}
  const [first] = Array.isArray(batch) ? batch : []
  return [writeKey, isJsonObject(first) ? first['writeKey'] : undefined].filter((key) => (key ?? '') !== '')
}
