import type { Random } from '@sluice/core'
import { textOf } from '@sluice/core/bytes'

const keyBytes = 32

/** Returns a key for the fingerprints of a new ledger. */
export function freshLedgerKey(random: Random): string {
  return textOf(random.fill(new Uint8Array(keyBytes)), 'base64url')
}
