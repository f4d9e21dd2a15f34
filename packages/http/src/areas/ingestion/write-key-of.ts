import { isJsonObject } from '@sluice/core'
import { getQueryParam } from 'hono/utils/url'
import { parseAuthorization } from '../../gate/access/authorization.ts'
import type { PlainRequest } from '../../gate/plain-request.ts'
import type { WriteKeyPlace } from '../../routing/route.ts'

/** Returns the write key of a request, looked for where its route allows one; '' when it is not there. */
export function writeKeyOf({ url, headers }: PlainRequest, place: Exclude<WriteKeyPlace, 'path'>): string {
  const inHeader = place === 'query' ? '' : (parseAuthorization(headers.get('authorization'))?.user ?? '')
  const isInQuery = place === 'query' || place === 'header-or-query'
  return inHeader || (isInQuery ? firstInQuery(url, 'writeKey') : '')
}

function firstInQuery(url: string, name: string): string {
  const found = getQueryParam(url, name)
  return typeof found === 'string' ? found : ''
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
