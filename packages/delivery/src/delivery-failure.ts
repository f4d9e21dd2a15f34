import type { StageError } from '@sluice/core'
import type { DeliveryRequest, SecretMask } from '@sluice/destinations'
import { replyExcerpt } from './reply-excerpt.ts'
import { hostOf, type TransportResult } from './transport.ts'
import type { Judgement } from './verdict.ts'

/** A larger request is told of without its body. */
const requestLengthMax = 65_536

export interface FailedAttempt {
  readonly code: 'deliver.refused' | 'deliver.unavailable'
  readonly request: DeliveryRequest
  /** As it was sent: nothing it carried is shown. */
  readonly sent: DeliveryRequest
  readonly result: TransportResult
  readonly judgement: Judgement
  /** How often the event was tried in all. */
  readonly attempts: number
  /** What the reply says of this event in particular. */
  readonly cause?: string
}

/**
 * Words for an event that was given up, or has to wait: who did what, and in `detail` the request (its secrets masked),
 * the status and the beginning of the reply.
 *
 * @param mask left out, the request is not told.
 */
export function createDeliveryFailure(
  mask?: Pick<SecretMask, 'request' | 'value'>,
): (attempt: FailedAttempt) => StageError {
  return ({ code, request, sent, result, judgement, attempts, cause = judgement.cause }) => {
    const met =
      result.kind === 'reply'
        ? { status: result.status, attempts, reply: shownText(replyExcerpt(result.body, sent), mask) }
        : { cause: result.code, attempts }
    const shown = mask ? { request: shownRequest(mask.request(request)) } : {}
    const message = `${hostOf(request)} ${whatHappened(code, attempts)}. ${cause}`.trimEnd()
    return {
      code,
      // What a reply says of the event may repeat what it was sent.
      message: shownText(message, mask),
      detail: { ...met, ...shown },
    }
  }
}

function whatHappened(code: FailedAttempt['code'], attempts: number): string {
  if (code === 'deliver.refused') return 'refused the request'
  return attempts === 0 ? 'is not asked any more' : `did not take the request in ${attempts} attempts`
}

function shownText(text: string, mask?: Pick<SecretMask, 'value'>): string {
  return mask ? String(mask.value(text)) : text
}

function shownRequest(request: DeliveryRequest) {
  const { version, type, method, endpoint, headers, params, body, files } = request
  const shown = { version, type, method, endpoint, headers, params, body: { ...body }, files }
  return JSON.stringify(shown).length <= requestLengthMax ? shown : { ...shown, body: 'left out: it is too large' }
}
