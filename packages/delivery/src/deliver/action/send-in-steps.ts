import type { DestinationReply } from '@sluice/destinations'
import { type DeliveryRequest, type DestinationDefinition, isMappingError } from '@sluice/destinations/kit'
import type { Exchange } from '../exchange.ts'
import { replyOf } from '../replies/judgement.ts'

/** Most calls for one request. A definition that needs more has a bug. */
const callsMax = 10

/**
 * Delivers a request by several calls, one after the other, until one fails or none is left. Returns the last exchange,
 * or a refusal when the definition cannot continue after a reply.
 */
export async function sendInSteps(
  request: DeliveryRequest,
  nextCall: NonNullable<DestinationDefinition['nextCall']>,
  send: (call: DeliveryRequest) => Promise<Exchange>,
): Promise<Exchange> {
  const replies: DestinationReply[] = []
  let last: Exchange | undefined
  for (let step = 0; step <= callsMax; step += 1) {
    const call = nextCall(request, replies)
    if (call === undefined && last) return last
    if (call === undefined) break
    if (isMappingError(call)) return refused(request, last, `${call.message}.`)
    last = await send(call)
    const { result, judgement } = last
    if (result.kind !== 'reply' || judgement.outcome !== 'delivered' || judgement.items) return last
    replies.push(replyOf(result))
  }
  return refused(request, last, `The definition makes no call, or more than ${callsMax}. It has a bug.`)
}

function refused(request: DeliveryRequest, last: Exchange | undefined, cause: string): Exchange {
  const result = last?.result ?? { kind: 'unsendable', code: 'ERR_NO_CALL', message: cause }
  return { sent: last?.sent ?? request, result, judgement: { outcome: 'aborted', status: 400, cause } }
}
