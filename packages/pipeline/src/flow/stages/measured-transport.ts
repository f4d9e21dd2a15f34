import type { Clock } from '@sluice/core'
import type { Transport } from '@sluice/delivery'

/**
 * Called with each answer of a destination: the status of the reply, or why there is none, and how long it took in milliseconds.
 * Questions, such as for tokens, are left out.
 */
export type AnswerWatch = (status: number | 'network' | 'unsendable', ms: number) => void

/** Returns the same transport, which reports its answers. */
export function measuredTransport(transport: Transport, clock: Clock, watch: AnswerWatch): Transport {
  return {
    ...transport,
    send: (request, options) => {
      const sentAt = clock.now()
      return transport.send(request, options).then((result) => {
        watch(result.kind === 'reply' ? result.status : result.kind, clock.now() - sentAt)
        return result
      })
    },
  }
}
