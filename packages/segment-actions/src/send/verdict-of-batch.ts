import type { ItemVerdict, Verdict } from '@sluice/destinations'
import { verdictOfStatus } from './verdict-of-status.ts'

/** One entry of a `MultiStatusResponse`. */
interface StatusEntry {
  value(): StatusValue
}

interface StatusValue {
  readonly status?: unknown
  readonly errormessage?: unknown
}

/**
 * Reads what `performBatch` returned: a `MultiStatusResponse` has one entry per payload; a response counts for all; for
 * anything else, all were delivered.
 *
 * @param count number of payloads in the batch.
 */
export function verdictOfBatch(result: unknown, count: number, hasAccount: boolean): Verdict {
  const { getAllResponses, status } = Object(result) as { getAllResponses?: unknown; status?: unknown }
  if (typeof getAllResponses === 'function') {
    const entries = Object(getAllResponses.call(result)) as readonly unknown[]
    const items = Array.from({ length: count }, (_, i) => verdictOfEntry(entries[i], hasAccount))
    const worst = items.find(({ outcome }) => outcome !== 'delivered') ?? items[0]
    return { ...(worst ?? { outcome: 'delivered', status: 200, message: '' }), items }
  }
  return verdictOfStatus(typeof status === 'number' ? status : 200, 'The batch was refused.', hasAccount)
}

/** An entry that cannot be read costs its own event, not those beside it. */
function verdictOfEntry(entry: unknown, hasAccount: boolean): ItemVerdict {
  const failed = (message: string): ItemVerdict => ({ outcome: 'aborted', status: 500, message })
  if (entry === undefined) return failed('The action reported no status for this event.')
  const unreadable = failed('The action reported a status for this event that cannot be read.')
  try {
    const value: unknown = (entry as StatusEntry).value()
    if (typeof value !== 'object' || value === null) return unreadable
    const { status, errormessage } = value as StatusValue
    return verdictOfStatus(typeof status === 'number' ? status : 200, String(errormessage ?? ''), hasAccount)
  } catch {
    return unreadable
  }
}
