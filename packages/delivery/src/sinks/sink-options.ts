import type { DeliveryRequest } from '@sluice/destinations'
import { HeldBackError } from '../transport/held-back-error.ts'
import { sendFailure } from '../transport/send-failure.ts'
import type { SendOptions, TransportResult } from '../transport/transport.ts'

/** As `SendOptions`, for sinks that may run in another process than the one that answers whether a request may leave. */
interface SinkSendOptions extends Omit<SendOptions, 'mayLeave'> {
  readonly mayLeave?: (() => boolean | Promise<boolean>) | undefined
}

/** A sink whose connections must be closed. */
export interface ClosableSink {
  /** As `Transport.send`. */
  send(request: DeliveryRequest, options: SinkSendOptions): Promise<TransportResult>
  /** Closes all connections. Can be called twice. */
  close(): Promise<void>
}

/** Asks whether a request may leave, and awaits nothing when the answer is there. @returns the failure when it may not. */
export function heldBackNow(
  request: DeliveryRequest,
  { mayLeave }: SinkSendOptions,
): TransportResult | undefined | Promise<TransportResult | undefined> {
  const failure = (isAllowed: boolean | undefined): TransportResult | undefined =>
    // No exception: others use the connection, too.
    isAllowed === false ? sendFailure(new HeldBackError(), request) : undefined
  const answer = mayLeave?.()
  return answer instanceof Promise ? answer.then(failure) : failure(answer)
}
