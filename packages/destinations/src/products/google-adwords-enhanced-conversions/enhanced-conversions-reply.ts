import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import {
  type DeliveryRequest,
  type DestinationReply,
  type ItemVerdict,
  respondLikeGoogleAds,
  type Verdict,
  verdictByStatus,
} from '../../kit/index.ts'

/**
 * Interprets replies of Google Ads, which accepts the valid adjustments of a request and names the others. Source:
 * Google Ads docs, partial failures; recorded behaviour of RudderStack.
 */
export function respond(reply: DestinationReply, request: DeliveryRequest): Verdict {
  const failure = isJsonObject(reply.body) ? reply.body['partialFailureError'] : undefined
  if (reply.status !== 200 || !isJsonObject(failure)) return respondLikeGoogleAds(reply)
  const message = String(failure['message'] ?? 'refused')
  const faulty = new Map(errorsIn(failure).map((error) => [indexOf(error), String(error['message'] ?? message)]))
  const { conversionAdjustments: adjustments } = request.body.JSON
  const items = (Array.isArray(adjustments) ? adjustments : []).map((_, index): ItemVerdict => {
    const refusal = faulty.get(index)
    return { ...verdictByStatus({ status: refusal === undefined ? 200 : 400 }), ...(refusal && { message: refusal }) }
  })
  return { outcome: 'aborted', status: 400, message, ...(faulty.size > 0 && items.length > 0 ? { items } : {}) }
}

function errorsIn({ details }: JsonObject): readonly JsonObject[] {
  return listOf(details).flatMap((detail) => listOf(detail['errors']))
}

/** Returns the index of the adjustment that an error is about; -1 if it names none. */
function indexOf({ location }: JsonObject): number {
  const elements = listOf(isJsonObject(location) ? location['fieldPathElements'] : undefined)
  const index = elements.find(({ fieldName }) => fieldName === 'conversion_adjustments')?.['index']
  return typeof index === 'number' ? index : -1
}

function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
