import type { Regulation } from '../../regulation.ts'
import type { RegulationStore } from '../../regulation-store.ts'
import { workspacePages } from '../../workspace-pages.ts'
import { type LedgerRecord, recordKey } from '../ledger-record.ts'

/** Regulations that are looked up at a time. */
const regulationsPerTurn = 1_000

/** Returns those of these regulations that the store has, by the keys of their records. */
export async function findStored(
  store: RegulationStore,
  records: readonly Pick<LedgerRecord, 'workspaceId' | 'id'>[],
): Promise<ReadonlyMap<string, Regulation>> {
  const found = new Map<string, Regulation>()
  for (const { workspaceId, page } of workspacePages(records, regulationsPerTurn)) {
    const ids = page.map(({ id }) => id)
    for (const regulation of await store.findAll(workspaceId, ids)) found.set(recordKey(regulation), regulation)
  }
  return found
}

/** Whether a regulation was put back without the ids of its user, from fingerprints alone. */
export function hasNoIds({ hasNoIds: isWithout }: Pick<Regulation, 'hasNoIds'>): boolean {
  return isWithout === true
}

/** Whether a regulation orders deletions that are still wanted. */
export function isToDelete({ canceled, regulationType }: Pick<Regulation, 'canceled' | 'regulationType'>): boolean {
  return !canceled && regulationType === 'suppress_with_delete'
}
