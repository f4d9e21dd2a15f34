import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import type { DestinationReply, ItemVerdict, Verdict } from '../define/reply/reply.ts'
import { verdictByStatus, verdictOfAccount } from '../define/reply/verdict-by-status.ts'
import { objectsIn } from '../map/members/objects-in.ts'
import type { DeliveryRequest } from '../map/request/delivery-request.ts'

/**
 * Interprets replies of Google Ads: 401 requests new tokens, and a collision of two changes is retried. Source: Google
 * Ads docs, common errors; recorded behaviour of RudderStack.
 */
export function respondLikeGoogleAds(reply: DestinationReply): Verdict {
  if (reply.status !== 400 || !hasCollided(reply.body)) return verdictOfAccount(reply)
  return { outcome: 'retry', status: 500, message: 'another request was changing the same resource' }
}

function hasCollided(body: JsonValue): boolean {
  return JSON.stringify(body ?? null).includes('"CONCURRENT_MODIFICATION"')
}

/**
 * Creates `respond` for requests with a list of conversions. Google accepts the valid ones and names the others.
 *
 * @param list name of the list in requests. @param field name of the list in errors.
 *
 * Source: Google Ads docs, partial failures; recorded behaviour of RudderStack.
 */
export function respondPerConversion(list: string, field: string) {
  return (reply: DestinationReply, request: DeliveryRequest): Verdict => {
    const failure = isJsonObject(reply.body) ? reply.body['partialFailureError'] : undefined
    if (reply.status !== 200 || !isJsonObject(failure)) return respondLikeGoogleAds(reply)
    const message = String(failure['message'] ?? 'refused')
    const faults = new Map(
      errorsIn(failure).map((error) => [indexOf(error, field), String(error['message'] ?? message)]),
    )
    const conversions = request.body.JSON[list]
    const items = (Array.isArray(conversions) ? conversions : []).map((_, index): ItemVerdict => {
      const fault = faults.get(index)
      return { ...verdictByStatus({ status: fault === undefined ? 200 : 400 }), ...(fault && { message: fault }) }
    })
    return { outcome: 'aborted', status: 400, message, items: faults.size > 0 && items.length > 0 ? items : undefined }
  }
}

function errorsIn({ details }: JsonObject): readonly JsonObject[] {
  return objectsIn(details).flatMap((detail) => objectsIn(detail['errors']))
}

/** Returns the index of the conversion that an error is about; -1 if it names none. */
function indexOf({ location }: JsonObject, field: string): number {
  const elements = objectsIn(isJsonObject(location) ? location['fieldPathElements'] : undefined)
  const index = elements.find(({ fieldName }) => fieldName === field)?.['index']
  return typeof index === 'number' ? index : -1
}
