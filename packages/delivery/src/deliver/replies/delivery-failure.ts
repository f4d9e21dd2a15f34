import type { JsonObject, StageError } from '@sluice/core'
import type { DeliveryRequest, SecretMask } from '@sluice/destinations'
import { hostOf, type TransportResult } from '../../transport/transport.ts'
import { maskTokens } from '../account/mask-tokens.ts'
import type { ActionStep } from '../action/run-action.ts'
import type { Judgement } from './judgement.ts'
import { replyExcerpt } from './reply-excerpt.ts'

/** Only method, address and headers of a larger request are shown. */
const requestLengthMax = 65_536 // characters of its JSON text
/** Longer endpoints and headers are not shown. */
const lineLengthMax = 2_048 // characters
/** Only the last requests of an action are shown. */
const stepsShownMax = 10

export interface FailedAttempt {
  readonly code: 'deliver.refused' | 'deliver.unavailable'
  readonly request: DeliveryRequest
  /** The request as sent. None of its values are shown. */
  readonly sent: DeliveryRequest
  readonly result: TransportResult
  readonly judgement: Judgement
  /** All attempts of the event, including those before it was deferred. */
  readonly attempts: number
  /** The HTTP requests of an action. */
  readonly steps?: readonly ActionStep[]
  /** Tokens of the account that an action used. */
  readonly tokens?: JsonObject
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
  ofSettings?: Pick<SecretMask, 'request' | 'value'>,
): (attempt: FailedAttempt) => StageError {
  return ({ code, request, sent, result, judgement, attempts, steps, tokens, cause = judgement.cause }) => {
    const mask = ofSettings && tokens ? maskTokens(ofSettings, tokens) : ofSettings
    // A reply may quote any request of the action.
    const quotable = steps ? steps.map((step) => step.request) : [sent]
    /** Masks text of the reply, which may quote the request. Masks before cutting: half a secret would not be found. */
    const excerpt = (text: string): string => replyExcerpt(mask ? maskedText(mask, text) : text, ...quotable)
    const received =
      result.kind === 'reply'
        ? { status: result.status, attempts, reply: excerpt(result.body) }
        : { cause: result.code, attempts }
    const shown = mask ? { request: shownRequest(mask.request(request)), ...shownSteps(mask, steps) } : {}
    return {
      code,
      message: `${hostOf(request)} ${whatHappened(code, attempts)}. ${excerpt(cause)}`.trimEnd(),
      detail: { ...received, ...shown },
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

/** Method, address and status of each request: their bodies repeat the payload. */
function shownSteps(mask: Pick<SecretMask, 'request'>, steps: readonly ActionStep[] = []) {
  if (steps.length === 0) return {}
  return {
    steps: steps.slice(-stepsShownMax).map(({ request, result }) => {
      const { method, endpoint } = mask.request(request)
      const ended = result.kind === 'reply' ? { status: result.status } : { cause: result.code }
      return { method, endpoint: withoutQuery(endpoint).slice(0, lineLengthMax), ...ended }
    }),
  }
}

/** A query may have credentials that are in no setting. */
function withoutQuery(endpoint: string): string {
  const at = endpoint.indexOf('?')
  return at === -1 ? endpoint : `${endpoint.slice(0, at)}?…`
}

function shownRequest(request: DeliveryRequest) {
  const { version, type, method, endpoint, headers, params, body, files } = request
  const shown = { version, type, method, endpoint, headers, params, body: { ...body }, files }
  if (JSON.stringify(shown).length <= requestLengthMax) return shown
  const address = endpoint.slice(0, lineLengthMax)
  const brief = { version, type, method, endpoint: address, headers, body: 'left out: the request is too large' }
  return JSON.stringify(headers).length <= lineLengthMax ? brief : { ...brief, headers: {} }
}
