import type { ItemVerdict } from '@sluice/destinations'

/**
 * Returns what a status means: 2xx and 3xx delivered; 429 throttled; 408 and 5xx tried again; 401 of an account needs new
 * tokens; others refused.
 */
export function verdictOfStatus(status: number, message: string, hasAccount: boolean): ItemVerdict {
  if (status < 400) return { outcome: 'delivered', status, message: '' }
  if (status === 401 && hasAccount) return { outcome: 'refresh', status, message }
  if (status === 429) return { outcome: 'throttled', status, message }
  return { outcome: status === 408 || status >= 500 ? 'retry' : 'aborted', status, message }
}
