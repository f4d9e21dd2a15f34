import type { JsonObject } from '@sluice/core'

/**
 * Returns the body of an error. `error` repeats the message, for clients of RudderStack's APIs that read only that
 * member.
 */
export function errorBody(code: string, message: string, details?: JsonObject) {
  return { message, code, error: message, details }
}
