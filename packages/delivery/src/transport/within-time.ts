import { onAbort } from '@sluice/core'
import type { DeliveryRequest } from '@sluice/destinations'
import { hostOf, type SendOptions, type TransportResult } from './transport.ts'

/**
 * Runs the work of one `send` within its time limit. Resolves with a network failure after `timeMs`, and rejects
 * immediately when the signal aborts. Both abort the signal that the work receives, without waiting for the work to
 * end.
 */
export async function withinTime(
  request: DeliveryRequest,
  { signal, timeMs }: SendOptions,
  work: (stopped: AbortSignal) => Promise<TransportResult>,
): Promise<TransportResult> {
  signal.throwIfAborted()
  const stop = new AbortController()
  let unwatch = (): void => {}
  let timer: NodeJS.Timeout | undefined
  const cutShort = new Promise<TransportResult>((resolve, reject) => {
    unwatch = onAbort(signal, reject)
    timer = setTimeout(() => {
      const message = `${hostOf(request)} gave no complete reply within ${timeMs} ms.`
      resolve({ kind: 'network', code: 'ETIMEDOUT', message })
    }, timeMs)
  })
  try {
    return await Promise.race([work(stop.signal), cutShort])
  } finally {
    clearTimeout(timer)
    unwatch()
    stop.abort()
  }
}
