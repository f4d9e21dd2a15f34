import type { JsonValue } from '@sluice/core'
import type { TransportResult } from '@sluice/delivery'

/** A reply as the Test API shows it. */
export interface TrialReply {
  readonly body: JsonValue
  readonly status: number
}

/**
 * A reply as the Test API shows it: the body by its content type, JSON parsed, other text unchanged, anything else as
 * ''. No reply at all is shown in RudderStack's words. Source: packages/docs/api/test.md#replies.
 */
export function trialReply(result: TransportResult): TrialReply {
  if (result.kind === 'network')
    return {
      body: `[${result.code}] :: ${wordsOf(result.code, result.message)}`,
      status: result.code === 'ENOTFOUND' ? 400 : 500,
    }
  if (result.kind === 'unsendable') return { body: result.message, status: 400 }
  const { status, headers, body } = result
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (status === 204 || body === '') return { body: '', status }
  if (type === 'application/json' || type.endsWith('+json')) return { body: parsed(body), status }
  const isText = type.startsWith('text/') || type === 'application/xml' || type.endsWith('+xml')
  return { body: isText ? body : '', status }
}

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Connection refused',
  ECONNRESET: 'Connection reset by peer',
  ETIMEDOUT: 'Operation timed out',
  ENOTFOUND: 'Domain name not found',
  EAI_AGAIN: 'Temporary failure in name resolution',
  ECONNABORTED: 'Connection aborted',
}

const wordsOf = (code: string, message: string): string => words[code] ?? message

/** What was cut, or is no JSON in spite of its type, is shown as the text it is. */
function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return text
  }
}
