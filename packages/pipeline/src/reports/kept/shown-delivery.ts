import type { JsonObject } from '@sluice/core'
import { type EventMasks, hidesPath } from '../event-masks.ts'
import { maskedDetail } from '../masked-letter.ts'
import type { KeptDeliveries, KeptDelivery } from './kept-deliveries.ts'

/** An accepted request as people see it. */
export interface ShownDelivery {
  readonly messageId: string
  readonly sourceId: string
  /** When it was answered, in milliseconds since the epoch. */
  readonly at: number
  /** `status`, `attempts`, `request`, `reply` and, for an action, `steps`. */
  readonly [member: string]: unknown
}

interface DeliveriesQuery {
  readonly workspaceId: string
  readonly destinationId: string
  /** Whether personal data is masked. */
  readonly isMasked: boolean
}

/** Returns the last requests that a destination accepted, the newest first. None for events of users who are suppressed now. */
export async function readDeliveries(
  { workspaceId, destinationId, isMasked }: DeliveriesQuery,
  kept: Pick<KeptDeliveries, 'ofDestination'>,
  masks: EventMasks,
): Promise<readonly ShownDelivery[]> {
  const found = await kept.ofDestination(workspaceId, destinationId)
  return found.map((each) => ({
    messageId: each.source.event.messageId ?? '',
    sourceId: each.source.sourceId,
    at: each.at,
    ...(isMasked ? maskedDelivery(each, masks) : each.detail),
  }))
}

/** Returns the detail of an accepted request with personal data masked, as in dead letters. */
export function maskedDelivery({ workspaceId, source, detail }: KeptDelivery, masks: EventMasks): JsonObject {
  const mask = masks(workspaceId, source.sourceId)
  return maskedDetail(detail, mask, hidesPath(mask.event(source.event)))
}
