import { isJsonObject, type JsonObject } from '@sluice/core'
import {
  type DeliveryRequest,
  type DestinationReply,
  type ItemVerdict,
  type Verdict,
  verdictByStatus,
} from '../../kit/index.ts'

/**
 * Reads a reply of CleverTap, which may report failures with status 200: `fail` for a whole request, and `partial` with
 * the refused items.
 *
 * Source: CleverTap docs, Upload API (responses); recorded behaviour of RudderStack's clevertap destination.
 */
export function respondToClevertap(reply: DestinationReply, request?: Pick<DeliveryRequest, 'body'>): Verdict {
  const verdict = verdictByStatus(reply)
  const answer = isJsonObject(reply.body) ? reply.body : {}
  if (verdict.outcome !== 'delivered') return verdict
  if (answer['status'] === 'fail') return refused('CleverTap refused the request')
  if (answer['status'] !== 'partial') return verdict
  const sent = request?.body.JSON['d']
  const items: ItemVerdict[] = Array.isArray(sent) ? sent.map(() => verdict) : []
  const { unprocessed } = answer
  for (const each of Array.isArray(unprocessed) ? unprocessed.filter(isJsonObject) : []) {
    const index = recordNumber(each) - 1
    if (index in items) items[index] = refused(String(each['error']))
  }
  return { ...verdict, items }
}

/** Returns the number of a refused item, starting from 1; 0 if the reply does not name it. */
function recordNumber({ error }: JsonObject): number {
  return Number(/record number ?: ?(\d{1,6})/i.exec(String(error))?.[1] ?? 0)
}

function refused(message: string): ItemVerdict {
  return { outcome: 'aborted', status: 400, message }
}
