const httpDate = /^[A-Z][a-z]{2,8}, .+ GMT$/

/** A destination can ask for patience, but not for more than this. */
export const retryAfterMsMax = 3_600_000

/**
 * Reads a Retry-After header: seconds or an HTTP date. Undefined when it is neither; never negative, at most an hour.
 *
 * @param nowMs milliseconds since the epoch, for the form with a date.
 * Source: RFC 9110, 10.2.3.
 */
export function parseRetryAfter(text: string, nowMs: number): number | undefined {
  const trimmed = text.trim()
  let waitMs: number
  if (/^\d+$/.test(trimmed)) waitMs = Number(trimmed) * 1_000
  // The form is checked first, because Date.parse makes a date of nearly anything.
  else if (httpDate.test(trimmed)) waitMs = Date.parse(trimmed) - nowMs
  else return undefined
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), retryAfterMsMax)
}
