import { isJsonObject, type JsonValue } from '@sluice/core'
import type { DestinationReply, Verdict } from '../../kit/define/reply.ts'
import { type RefusedItem, respondPerItem } from '../../kit/define/respond-per-item.ts'
import { verdictByStatus } from '../../kit/define/verdict-by-status.ts'
import type { DeliveryRequest } from '../../kit/map/delivery-request.ts'

/**
 * Reads what Mixpanel answers: an import with 400 names the events it refused and took the others; a change of profiles
 * is answered with 200 and an error when it took none.
 *
 * Source: Mixpanel's API (Import Events, User Profiles, Group Profiles); recorded behaviour of RudderStack's mp
 * destination.
 */
export const respondToMixpanel = respondPerItem({
  itemsIn: ({ body }) => (body.JSON_ARRAY.batch === undefined ? 1 : JSON.parse(body.JSON_ARRAY.batch).length),
  refused(reply, request) {
    const { status, body } = reply
    if (isImport(request))
      return status === 400 && isJsonObject(body) ? refusedEvents(body['failed_records']) : undefined
    const error = errorOf(reply)
    return error === undefined ? undefined : [{ message: error }]
  },
})

/** Of a request that deletes: it is done, or nothing of it is. */
export function respondToDeletion(reply: DestinationReply): Verdict {
  const error = errorOf(reply)
  if (error === undefined) return verdictByStatus(reply)
  return { outcome: 'aborted', status: 400, message: error }
}

function isImport({ endpoint }: DeliveryRequest): boolean {
  return /\/import\/?$/.test(endpoint)
}

function refusedEvents(records: JsonValue | undefined): readonly RefusedItem[] | undefined {
  if (!Array.isArray(records)) return undefined
  return records.filter(isJsonObject).map(({ index, message }) => ({
    ...(typeof index === 'number' && { index }),
    message: typeof message === 'string' ? message : 'refused',
  }))
}

/** The error of a reply whose status tells of none. */
function errorOf({ status, body }: DestinationReply): string | undefined {
  if (status < 200 || status >= 300 || !isJsonObject(body) || !body['error']) return undefined
  return String(body['error'])
}
