import { type Event, identifierText, keysOfEvent } from '@sluice/core'
import { hashText } from '@sluice/core/hash'

/** Returns the SHA-256 of a userId in hex, by which samples of a user can be found and removed; '' without a userId. */
export function userDigest(userId: unknown): string {
  const text = identifierText(userId)
  return text === '' ? '' : hashText('sha256', text)
}

/**
 * Returns the digest of the user of an event; of a guest, those of all keys of the event, with blanks between them, because
 * identifiers in a sample are masked: see `keysOfEvent`.
 */
export function digestsOf(event: Event): string {
  const user = userDigest(event['userId'])
  return user === '' ? keysOfEvent(event).map(userDigest).join(' ') : user
}
