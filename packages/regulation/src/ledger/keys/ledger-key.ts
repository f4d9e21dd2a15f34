import type { Random } from '@sluice/core'
import { textOf } from '@sluice/core/bytes'
import { hmacText } from '@sluice/core/hash'

const keyBytes = 32

/** Returns a key for the fingerprints of a new ledger. */
export function freshLedgerKey(random: Random): string {
  return textOf(random.fill(new Uint8Array(keyBytes)), 'base64url')
}

/**
 * Returns a text by which a key for fingerprints is recognised, and from which it cannot be found out. It does not depend on
 * the id of the ledger, so that a lost id does not make the key look wrong. No fingerprint is one of a text that begins so.
 */
export function ledgerKeyDigest(key: string): string {
  return hmacText('sha256', key, 'sluice ledger key', 'base64url')
}
