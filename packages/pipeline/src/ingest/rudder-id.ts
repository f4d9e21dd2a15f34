import { identifierText, uuidOf } from '@sluice/core'
import { hashBytes } from '@sluice/core/hash'

/**
 * The identity that ingestion gives an event: MD5 of `userId:anonymousId` in the form of a version 4 UUID, so that the
 * same user gets the same one everywhere. Source: packages/docs/behaviour/events.md#rudder-id.
 * @example
 * ```ts
 * import { rudderId } from '@sluice/pipeline'
 *
 * console.log(rudderId('u1', 'a1') === rudderId('u1', 'a1'), rudderId('u1', '') === rudderId('u2', '')) // true false
 * ```
 */
export function rudderId(userId: unknown, anonymousId: unknown): string {
  const identity = `${identifierText(userId)}:${identifierText(anonymousId)}`
  return uuidOf(hashBytes('md5', identity), 4)
}
