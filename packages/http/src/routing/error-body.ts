import type { JsonObject } from '@sluice/core'
import { errorPagePath } from './error-page-path.ts'

/**
 * Returns the body of an error. `error` repeats the message, for clients of RudderStack's APIs that read only that
 * member; `docs` is the path of the page that explains the code.
 */
export function errorBody(code: string, message: string, details?: JsonObject) {
  return { message, code, error: message, docs: errorPagePath(code), details }
}
