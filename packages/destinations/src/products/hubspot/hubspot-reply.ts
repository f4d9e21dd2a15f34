import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import {
  type DeliveryRequest,
  type DestinationReply,
  type ItemVerdict,
  type Verdict,
  valueAt,
  verdictByStatus,
} from '../../kit/index.ts'
import { inputsIn, traceSeparator } from './hubspot-batch.ts'

/**
 * Interprets the reply to a batch of changes. HubSpot names refused changes by their trace id; a success without
 * results means that it has changed nothing. Source: HubSpot docs, Multi-status errors; recorded behaviour of
 * RudderStack's hs destination.
 */
export function hubspotReply(reply: DestinationReply, request: DeliveryRequest): Verdict {
  const verdict = verdictByStatus(reply)
  const inputs = inputsIn(request)
  const { body } = reply
  if (verdict.outcome !== 'delivered' || inputs.length === 0 || !isJsonObject(body)) return verdict
  const { results, errors } = body
  const refusals = Array.isArray(errors) ? errors.filter(isJsonObject) : []
  const isSilent = Array.isArray(results) && results.length === 0 && refusals.length === 0
  const refused = (message: string): ItemVerdict => ({ ...verdictByStatus({ status: 400 }), message })
  const items = inputs.flatMap((input): readonly ItemVerdict[] => {
    const trace = input['objectWriteTraceId']
    const refusal = refusals.find((each) => tracesIn(each).includes(trace))
    const events = typeof trace === 'string' ? trace.split(traceSeparator).length : 1
    const own = isSilent
      ? refused('HubSpot reported no changed object')
      : refusal
        ? refused(String(refusal['message'] ?? 'HubSpot refused the change'))
        : verdictByStatus({ status: reply.status === 207 ? 200 : reply.status })
    return Array.from({ length: events }, () => own)
  })
  return { ...verdict, items }
}

function tracesIn(error: JsonObject): readonly (JsonValue | undefined)[] {
  const traces = valueAt(error, ['context', 'objectWriteTraceId'])
  return Array.isArray(traces) ? traces : []
}
