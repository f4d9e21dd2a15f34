import type { Event } from './event.ts'
import { identifierText } from './identifier-text.ts'

/**
 * Returns the key of the user of an event: the userId, otherwise the anonymousId, otherwise the messageId. Events with the
 * same key stay in order.
 * @example
 * ```ts
 * import { userKeyOf } from '@sluice/core'
 *
 * console.log(userKeyOf({ type: 'track', userId: 'u1' }) === userKeyOf({ type: 'page', userId: 'u1', anonymousId: 'a1' })) // true
 * ```
 */
export function userKeyOf(event: Event): string {
  return identifierText(event['userId']) || identifierText(event['anonymousId']) || identifierText(event.messageId)
}
