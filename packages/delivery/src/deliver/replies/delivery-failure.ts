import type { StageError } from '@sluice/core'
import type { SecretMask } from '@sluice/destinations'
import { hostOf } from '../../transport/transport.ts'
import { createExchangeView, type ShownExchange } from './exchange-view.ts'
import type { Judgement } from './judgement.ts'

export interface FailedAttempt extends ShownExchange {
  readonly code: 'deliver.refused' | 'deliver.unavailable'
  readonly judgement: Judgement
  /** The reply's message about this event. */
  readonly cause?: string
}

/**
 * Creates the function that describes why an event was given up or has to wait. `detail` contains the request with its
 * secrets masked, the status and the beginning of the reply.
 *
 * @param ofSettings hides the secrets of the request. Without it, the request is not shown.
 */
export function createDeliveryFailure(
  ofSettings?: Pick<SecretMask, 'request' | 'value'>,
): (attempt: FailedAttempt) => StageError {
  const view = createExchangeView(ofSettings)
  return ({ code, judgement, cause = judgement.cause, ...exchange }) => {
    const { detail, excerpt } = view(exchange)
    const what = whatHappened(code, exchange)
    return { code, message: `${hostOf(exchange.request)} ${what}. ${excerpt(cause)}`.trimEnd(), detail }
  }
}

function whatHappened(code: FailedAttempt['code'], { result, steps = [], attempts }: ShownExchange): string {
  // What was never sent cannot have been refused by the host.
  if (result.kind === 'unsendable' && steps.length === 0) return 'got no request'
  if (code === 'deliver.refused') return 'refused the request'
  return attempts === 0 ? 'gets no more requests' : `did not accept the request in ${attempts} attempts`
}
