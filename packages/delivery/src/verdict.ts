import { parseRetryAfter } from './retry-after.ts'
import type { TransportResult } from './transport.ts'

/** What to make of one attempt. `cause` is for people and continues a sentence that names the host. */
export type Verdict =
  | { readonly kind: 'delivered'; readonly status: number }
  | { readonly kind: 'retry'; readonly cause: string; readonly retryAfterMs?: number }
  | { readonly kind: 'refused'; readonly cause: string }

/**
 * Judges what came back: 2xx is delivered; 5xx, 408, 429 and network failures may succeed later; all else is refused.
 *
 * @param nowMs milliseconds since the epoch, against which a Retry-After date is read.
 * Source: destination facts 6 (table-driven default of `respond`).
 */
export function judge(result: TransportResult, nowMs: number): Verdict {
  if (result.kind === 'network') return { kind: 'retry', cause: result.message }
  if (result.kind === 'unsendable') return { kind: 'refused', cause: result.message }
  const { status, headers } = result
  if (status >= 200 && status < 300) return { kind: 'delivered', status }
  if (status >= 500 || status === 408 || status === 429) {
    const header = headers['retry-after']
    const retryAfterMs = header === undefined ? undefined : parseRetryAfter(header, nowMs)
    return { kind: 'retry', cause: `It answered ${status}.`, ...(retryAfterMs !== undefined && { retryAfterMs }) }
  }
  if (status >= 300 && status < 400) {
    const cause = `It answered ${status}, and redirects are not followed: set the address it redirects to.`
    return { kind: 'refused', cause }
  }
  return { kind: 'refused', cause: `It answered ${status}.` }
}
