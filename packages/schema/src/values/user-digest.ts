import { identifierText } from '@sluice/core'
import { hashText } from '@sluice/core/hash'

/** Returns the SHA-256 of a userId in hex, by which samples of a user can be found and removed; '' without a userId. */
export function userDigest(userId: unknown): string {
  const text = identifierText(userId)
  return text === '' ? '' : hashText('sha256', text)
}
