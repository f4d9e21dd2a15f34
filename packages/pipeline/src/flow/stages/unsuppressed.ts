import { type Flow, isErased } from '../flow.ts'
import { type EventRecord, recordsAllowed } from './records-allowed.ts'

/** Returns the records of users who are neither suppressed nor erased; none while that cannot be decided. */
export async function unsuppressed<T extends EventRecord>(flow: Flow, records: readonly T[]): Promise<readonly T[]> {
  const allowed = await recordsAllowed(flow, records, new AbortController().signal).catch(() => [])
  return allowed.filter(({ source }) => !isErased(source))
}
