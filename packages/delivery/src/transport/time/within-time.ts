import type { DeliveryRequest } from '@sluice/destinations'
import { hostOf, type SendOptions, type TransportResult } from '../transport.ts'
import { limitTime } from './limit-time.ts'

/** Runs the work of one `send` within its time limit; see `limitTime`. Too late is a network failure. */
export function withinTime(
  request: DeliveryRequest,
  options: Pick<SendOptions, 'signal' | 'timeMs'>,
  work: (stopped: AbortSignal) => Promise<TransportResult>,
): Promise<TransportResult> {
  return limitTime<TransportResult>(options, work, () => ({
    kind: 'network',
    code: 'ETIMEDOUT',
    message: `${hostOf(request)} gave no complete reply within ${options.timeMs} ms.`,
  }))
}
