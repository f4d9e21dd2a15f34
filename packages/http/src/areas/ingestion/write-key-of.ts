import type { Context } from 'hono'
import { parseAuthorization } from '../../gate/authorization.ts'
import type { WriteKeyPlace } from '../../routing/route.ts'

/** Returns the write key of a request, looked for where its route allows one; '' when it is not there. */
export function writeKeyOf({ req }: Context, place: Exclude<WriteKeyPlace, 'path'>): string {
  const inHeader = place === 'query' ? '' : (parseAuthorization(req.header('authorization'))?.user ?? '')
  const isInQuery = place === 'query' || place === 'header-or-query'
  return inHeader || (isInQuery ? (req.query('writeKey') ?? '') : '')
}
