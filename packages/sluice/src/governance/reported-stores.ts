import type { ReportedStores, Store } from '@sluice/pipeline'
import type { Regulations } from '@sluice/regulation'

/** Returns what a report of a user is made of. */
export function reportedStores(
  { log, retries, deadLetters, schema, receipts }: Store,
  regulations: Regulations,
): ReportedStores {
  return { log, retries, deadLetters, schema, receipts, regulations }
}
