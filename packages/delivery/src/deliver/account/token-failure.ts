import type { TransportResult } from '../../transport/transport.ts'

/** Reduces a reply without tokens to its status, since its text may contain credentials. Success counts as status 502. */
export function tokenFailure(result: TransportResult): TransportResult {
  if (result.kind !== 'reply') return result
  const isSuccess = result.status >= 200 && result.status < 300
  const body = isSuccess ? 'no token in the answer' : `the account answered ${result.status}`
  return { ...result, status: isSuccess ? 502 : result.status, body }
}
