import { isJsonObject } from '@sluice/core'
import { convert, type DestinationReply, respondPerItem, type Verdict, verdictByStatus } from '../../kit/index.ts'

/**
 * Interprets replies of Mixpanel. An import with status 400 names the refused events; the others were accepted. A
 * refused profile update has status 200 and an error.
 *
 * Source: Mixpanel's API (Import Events, User Profiles, Group Profiles); recorded behaviour of RudderStack's mp
 * destination.
 */
export const respondToMixpanel = respondPerItem({
  itemsIn: ({ body }) => (body.JSON_ARRAY.batch === undefined ? 1 : JSON.parse(body.JSON_ARRAY.batch).length),
  refused(reply, { endpoint }) {
    const { status, body } = reply
    if (/\/import\/?$/.test(endpoint)) {
      const records = status === 400 && isJsonObject(body) ? body['failed_records'] : undefined
      if (!Array.isArray(records)) return undefined
      return records.filter(isJsonObject).map(({ index, message }) => ({
        message: convert.text(message ?? 'refused'),
        index: typeof index === 'number' ? index : undefined,
      }))
    }
    const message = errorOf(reply)
    return message === undefined ? undefined : [{ message }]
  },
})

/** Interprets the reply of a deletion, which succeeds or fails as a whole. */
export function respondToDeletion(reply: DestinationReply): Verdict {
  const message = errorOf(reply)
  return message === undefined ? verdictByStatus(reply) : { outcome: 'aborted', status: 400, message }
}

/** Returns the error in a reply with a success status. */
function errorOf({ status, body }: DestinationReply): string | undefined {
  if (status < 200 || status >= 300 || !isJsonObject(body) || !body['error']) return undefined
  return convert.text(body['error'])
}
