const httpDate = /^[A-Z][a-z]{2,8}, .+ GMT$/

/** Longest wait that a destination can request. */
export const retryAfterMsMax = 3_600_000

/**
 * Reads a Retry-After header: seconds or an HTTP date. Undefined when it is neither; never negative, at most an hour.
 *
 * @param nowMs current time in milliseconds since the epoch, for the date form. Source: RFC 9110, 10.2.3.
 */
export function parseRetryAfter(text: string, nowMs: number): number | undefined {
  const trimmed = text.trim()
  let waitMs: number
  if (/^\d+$/.test(trimmed)) waitMs = Number(trimmed) * 1_000
  // Check the form first: Date.parse accepts nearly anything.
  else if (httpDate.test(trimmed)) waitMs = Date.parse(trimmed) - nowMs
  else return undefined
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), retryAfterMsMax)
}
