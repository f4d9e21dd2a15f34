import type { ActionCall, ActionReply, DeliveryRequest } from '@sluice/destinations'
import { limitTime } from '../../transport/time/limit-time.ts'
import type { Sending, Transport, TransportResult } from '../../transport/transport.ts'

/** One HTTP request that an action sent. */
export interface ActionStep {
  readonly request: DeliveryRequest
  readonly result: TransportResult
}

export interface ActionRun<T> {
  readonly value: T
  /** What the action sent, in the order of the replies: the newest `stepsMax`. */
  readonly steps: readonly ActionStep[]
}

interface ActionLimits extends Sending {
  readonly transport: Transport
  /** Milliseconds for the whole action, with all its requests. */
  readonly timeMs: number
}

/** Requests that one run of an action may send. A loop without end must not flood a destination. */
const requestsMax = 200
/** Requests that are kept for records. */
const stepsMax = 50
/** Actions read lists of a product to look something up, which are longer than replies to events. */
const replyBytesMax = 4 * 1024 * 1024

/**
 * Runs the code of an action within a time limit, and records what it sends. When the time is over, the run resolves with
 * `onTimeout()` and the code can send nothing more.
 *
 * @throws what the code throws, and the abort reason once `signal` is aborted.
 */
export async function runAction<T>(
  { transport, signal, mayLeave, timeMs }: ActionLimits,
  code: (call: Pick<ActionCall, 'send' | 'signal'>) => Promise<T>,
  onTimeout: () => T,
): Promise<ActionRun<T>> {
  const steps: ActionStep[] = []
  const pending = new Set<Promise<ActionReply>>()
  let sent = 0

  async function send(request: DeliveryRequest, stopped: AbortSignal, requestTimeMs: number): Promise<ActionReply> {
    stopped.throwIfAborted()
    sent += 1
    const own = { signal: stopped, timeMs: Math.min(requestTimeMs, timeMs), replyBytesMax }
    const options = mayLeave ? { ...own, mayLeave } : own
    const result = sent > requestsMax ? tooMany : await transport.send(request, options)
    steps.push({ request, result })
    if (steps.length > stepsMax) steps.shift()
    return result
  }

  const run = async (stopped: AbortSignal): Promise<T> => {
    const value = await code({
      signal: stopped,
      send(request, requestTimeMs = timeMs) {
        const sending = send(request, stopped, requestTimeMs)
        pending.add(sending)
        void sending.catch(() => {}).finally(() => pending.delete(sending))
        return sending
      },
    })
    // Requests that the code does not wait for are part of the action.
    await Promise.allSettled(pending)
    return value
  }
  const value = await limitTime({ signal, timeMs, leavesWork: true }, run, onTimeout)
  return { value, steps }
}

const tooMany: TransportResult = {
  kind: 'unsendable',
  code: 'ERR_TOO_MANY_REQUESTS',
  message: `An action may send at most ${requestsMax} requests for one event or batch.`,
}
