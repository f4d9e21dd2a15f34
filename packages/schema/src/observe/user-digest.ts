import { createHash } from 'node:crypto'
import { identifierText } from '@sluice/core'

/** How a sample remembers whose it is, so that it can be forgotten: SHA-256, hex, of the userId; '' for nobody. */
export function userDigest(userId: unknown): string {
  const text = identifierText(userId)
  return text === '' ? '' : createHash('sha256').update(text).digest('hex')
}
