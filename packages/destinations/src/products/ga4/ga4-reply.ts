import { isJsonObject, type JsonObject } from '@sluice/core'
import type { DestinationReply, Verdict } from '../../kit/index.ts'

/**
 * Interprets replies of Google, which never refuses events. Only the validation server, which debugMode uses, reports
 * problems, with status 200.
 *
 * Source: recorded behaviour of RudderStack's ga4 destination; Google's docs, Measurement Protocol (GA4), validating
 * events.
 */
export function readReply({ status, body }: DestinationReply): Verdict {
  const messages = isJsonObject(body) ? body['validationMessages'] : undefined
  const [first] = Array.isArray(messages) ? messages.filter(isJsonObject) : []
  if (first) return { outcome: 'aborted', status: 400, message: describe(first) }
  if (status >= 200 && status < 300) return { outcome: 'delivered', status, message: 'accepted' }
  const message = `Google Analytics answered ${status}`
  if (status === 429) return { outcome: 'throttled', status, message }
  return { outcome: status >= 500 || status === 408 ? 'retry' : 'aborted', status, message }
}

function describe({ fieldPath, validationCode, description }: JsonObject): string {
  const parts = [fieldPath, validationCode, description].filter((part) => typeof part === 'string')
  return parts.join(': ') || 'the validation server found a problem'
}
