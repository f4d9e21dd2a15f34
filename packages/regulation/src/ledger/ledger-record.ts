import type { Regulation } from '../regulation.ts'
import type { IdentityFingerprints } from '../suppression/identity-fingerprint.ts'

/** What a ledger says of one regulation. It contains no identifier of a person. */
export type LedgerRecord =
  | ({
      readonly kind: 'regulated'
      readonly fingerprints: IdentityFingerprints
      /** Name of the note with the encrypted ids, which is removed in the end. */
      readonly note?: string
    } & Omit<Regulation, 'attributes' | 'canceled'>)
  /** It was cancelled. */
  | { readonly kind: 'canceled'; readonly workspaceId: string; readonly id: string }
  /** It was refused or failed after it had been written here, so it was never acknowledged. */
  | { readonly kind: 'withdrawn'; readonly workspaceId: string; readonly id: string }

/** Names a regulation across workspaces. */
export function recordKey({ workspaceId, id }: Pick<LedgerRecord, 'workspaceId' | 'id'>): string {
  return JSON.stringify([workspaceId, id])
}

/** Returns what `recordKey` names. */
export function recordOf(key: string): Pick<LedgerRecord, 'workspaceId' | 'id'> {
  const [workspaceId, id]: [string, string] = JSON.parse(key)
  return { workspaceId, id }
}
