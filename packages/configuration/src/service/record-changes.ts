import type { ConfigurationRecord, RecordKey } from '../records/configuration-record.ts'
import { keyText } from '../records/configuration-record.ts'
import type { RecordIndex } from '../records/record-index.ts'

/** Returns what leads from some records to others that were read later. */
export function recordChanges(
  before: RecordIndex,
  now: readonly ConfigurationRecord[],
): { readonly put: readonly ConfigurationRecord[]; readonly remove: readonly RecordKey[] } {
  const put = now.filter((record) => {
    const known = before.get(record)
    // A record that was deleted and created again begins with revision 1, too.
    return known?.revision !== record.revision || known.createdAt !== record.createdAt
  })
  const kept = new Set(now.map(keyText))
  return { put, remove: before.records().filter((record) => !kept.has(keyText(record))) }
}
