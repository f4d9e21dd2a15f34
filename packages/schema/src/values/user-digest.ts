import { createHash } from 'node:crypto'
import { identifierText } from '@sluice/core'

/** Returns the SHA-256 of a userId in hex, by which samples of a user can be found and removed; '' without a userId. */
export function userDigest(userId: unknown): string {
  const text = identifierText(userId)
  return text === '' ? '' : createHash('sha256').update(text).digest('hex')
}
