import type { StageError } from '@sluice/core'
import type { DeliveryRequest, SecretMask } from '@sluice/destinations'
import { hostOf, type TransportResult } from '../transport/transport.ts'
import { replyExcerpt } from './reply-excerpt.ts'
import type { Judgement } from './verdict.ts'

/** Of a larger request only the lines that say where it went are told. */
const requestLengthMax = 65_536 // characters of its JSON text
/** An endpoint and headers beyond this are not told either: what is left says enough. */
const lineLengthMax = 2_048 // characters

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
  /** Destinations like to quote what they refuse. Masked before it is cut, for half a secret would not be found. */
  const excerpt = (text: string, request: DeliveryRequest): string =>
    replyExcerpt(mask ? maskedText(mask, text) : text, request)
  return ({ code, request, sent, result, judgement, attempts, cause = judgement.cause }) => {
    const met =
      result.kind === 'reply'
        ? { status: result.status, attempts, reply: excerpt(result.body, sent) }
        : { cause: result.code, attempts }
    const shown = mask ? { request: shownRequest(mask.request(request)) } : {}
    return {
      code,
      message: `${hostOf(request)} ${whatHappened(code, attempts)}. ${excerpt(cause, sent)}`.trimEnd(),
      detail: { ...met, ...shown },
    }
  }
}

function whatHappened(code: FailedAttempt['code'], attempts: number): string {
  if (code === 'deliver.refused') return 'refused the request'
  return attempts === 0 ? 'is not asked any more' : `did not take the request in ${attempts} attempts`
}

function maskedText(mask: Pick<SecretMask, 'value'>, text: string): string {
  return String(mask.value(text))
}

function shownRequest(request: DeliveryRequest) {
  const { version, type, method, endpoint, headers, params, body, files } = request
  const shown = { version, type, method, endpoint, headers, params, body: { ...body }, files }
  if (JSON.stringify(shown).length <= requestLengthMax) return shown
  const address = endpoint.slice(0, lineLengthMax)
  const told = { version, type, method, endpoint: address, headers, body: 'left out: the request is too large' }
  return JSON.stringify(headers).length <= lineLengthMax ? told : { ...told, headers: {} }
}
