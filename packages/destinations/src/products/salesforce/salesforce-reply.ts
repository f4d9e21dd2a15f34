import { isJsonObject } from '@sluice/core'
import { type DestinationReply, type Verdict, verdictByStatus } from '../../kit/index.ts'

/** What codes of errors mean, as statuses. Source: Salesforce docs, Status codes and error responses. */
const statusByCode: Readonly<Record<string, number>> = {
  INVALID_SESSION_ID: 500, // the next attempt uses a new session
  REQUEST_LIMIT_EXCEEDED: 429,
  SERVER_UNAVAILABLE: 429,
  UNABLE_TO_LOCK_ROW: 500,
}

/** Interprets a reply of Salesforce, whose errors are a list with codes. */
export function salesforceReply({ status, body }: DestinationReply): Verdict {
  if (status < 400) return verdictByStatus({ status })
  const [error] = Array.isArray(body) ? body.filter(isJsonObject) : []
  const { errorCode: code, message } = error ?? {}
  const known = typeof code === 'string' && Object.hasOwn(statusByCode, code) ? statusByCode[code] : undefined
  const verdict = verdictByStatus({ status: known ?? (status === 429 ? 429 : status >= 500 ? 500 : 400) })
  return { ...verdict, message: [`answered ${status}`, code, message].filter(Boolean).join(': ') }
}
