import { createHash } from 'node:crypto'
import type { Random } from '@sluice/core'

/** Returns an access token that cannot be guessed, 256 bits, and its hash as the configuration has it. */
export function newToken(random: Random): { readonly text: string; readonly hash: string } {
  const text = Buffer.from(random.fill(new Uint8Array(32))).toString('base64url')
  return { text, hash: `sha256:${createHash('sha256').update(text).digest('hex')}` }
}
