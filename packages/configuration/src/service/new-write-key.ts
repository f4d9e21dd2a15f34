import type { Random } from '@sluice/core'

/** Returns a write key that cannot be guessed: 160 bits, in characters that no request changes. */
export function newWriteKey(random: Random): string {
  return Buffer.from(random.fill(new Uint8Array(20))).toString('hex')
}
