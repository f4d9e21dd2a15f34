import { isJsonObject, type JsonValue } from '@sluice/core'
import {
  type DeliveryRequest,
  type DestinationReply,
  type RefusedItem,
  respondPerItem,
  type Verdict,
  verdictByStatus,
} from '../../kit/index.ts'

/**
 * Interprets replies of Mixpanel. An import with status 400 names the refused events; the others were accepted. A
 * refused profile update has status 200 and an error.
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

/** Interprets the reply of a deletion, which succeeds or fails as a whole. */
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

/** Returns the error in a reply with a success status. */
function errorOf({ status, body }: DestinationReply): string | undefined {
  if (status < 200 || status >= 300 || !isJsonObject(body) || !body['error']) return undefined
  return String(body['error'])
}
