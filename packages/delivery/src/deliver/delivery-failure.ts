import type { StageError } from '@sluice/core'
import type { DeliveryRequest, SecretMask } from '@sluice/destinations'
import { hostOf, type TransportResult } from '../transport/transport.ts'
import type { Judgement } from './judgement.ts'
import { replyExcerpt } from './reply-excerpt.ts'

/** Only method, address and headers of a larger request are shown. */
const requestLengthMax = 65_536 // characters of its JSON text
/** Longer endpoints and headers are not shown. */
const lineLengthMax = 2_048 // characters

export interface FailedAttempt {
  readonly code: 'deliver.refused' | 'deliver.unavailable'
  readonly request: DeliveryRequest
  /** The request as sent. None of its values are shown. */
  readonly sent: DeliveryRequest
  readonly result: TransportResult
  readonly judgement: Judgement
  /** Attempts of the event in all rounds. */
  readonly attempts: number
  /** The reply's message about this event. */
  readonly cause?: string
}

/**
 * Creates the function that describes why an event was given up or has to wait. `detail` contains the request with its
 * secrets masked, the status and the beginning of the reply.
 *
 * @param mask hides the secrets of the request. Without it, the request is not shown.
 */
export function createDeliveryFailure(
  mask?: Pick<SecretMask, 'request' | 'value'>,
): (attempt: FailedAttempt) => StageError {
  /** Masks text of the reply, which may quote the request. Masks before cutting: half a secret would not be found. */
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
  return attempts === 0 ? 'gets no more requests' : `did not accept the request in ${attempts} attempts`
}

function maskedText(mask: Pick<SecretMask, 'value'>, text: string): string {
  return String(mask.value(text))
}

function shownRequest(request: DeliveryRequest) {
  const { version, type, method, endpoint, headers, params, body, files } = request
  const shown = { version, type, method, endpoint, headers, params, body: { ...body }, files }
  if (JSON.stringify(shown).length <= requestLengthMax) return shown
  const address = endpoint.slice(0, lineLengthMax)
  const brief = { version, type, method, endpoint: address, headers, body: 'left out: the request is too large' }
  return JSON.stringify(headers).length <= lineLengthMax ? brief : { ...brief, headers: {} }
}
