import type { JsonObject } from '@sluice/core'
import type { DeliveryRequest, SecretMask } from '@sluice/destinations'
import { maskTokens } from '../account/mask-tokens.ts'
import type { ActionStep } from '../action/run-action.ts'
import type { Exchange } from '../exchange.ts'
import { replyExcerpt } from './reply-excerpt.ts'

/** Only method, address and headers of a larger request are shown. */
const requestLengthMax = 65_536 // characters of its JSON text
/** Longer endpoints and headers are not shown. */
const lineLengthMax = 2_048 // characters
/** Only the last requests of an action are shown. */
const stepsShownMax = 10

/** What was sent for one event, and what came back. */
export interface ShownExchange extends Pick<Exchange, 'sent' | 'result' | 'steps' | 'tokens'> {
  /** The request of the event, not that of its batch, which holds events of others. */
  readonly request: DeliveryRequest
  /** All attempts of the event, including those before it was deferred. */
  readonly attempts: number
}

/** How an exchange is shown to people. */
interface ExchangeView {
  /** The request with its secrets masked, the status, and the beginning of the reply. */
  readonly detail: JsonObject
  /** Masks and cuts a text of the reply, which may quote the request. */
  excerpt(text: string): string
}

/**
 * Creates the function that shows an exchange without its secrets.
 *
 * @param ofSettings hides the secrets of the request. Without it, the request is not shown.
 */
export function createExchangeView(
  ofSettings?: Pick<SecretMask, 'request' | 'value'>,
): (exchange: ShownExchange) => ExchangeView {
  return ({ request, sent, result, attempts, steps, tokens }) => {
    const mask = ofSettings && tokens ? maskTokens(ofSettings, tokens) : ofSettings
    // A reply may quote any request of the action.
    const quotable = steps ? steps.map((step) => step.request) : [sent]
    /** Masks before cutting: half a secret would not be found. */
    const excerpt = (text: string): string => replyExcerpt(mask ? maskedText(mask, text) : text, ...quotable)
    const received =
      result.kind === 'reply'
        ? { status: result.status, attempts, reply: excerpt(result.body) }
        : { cause: result.code, attempts }
    const shown = mask ? { request: shownRequest(mask.request(request)), ...shownSteps(mask, steps) } : {}
    return { detail: { ...received, ...shown }, excerpt }
  }
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
