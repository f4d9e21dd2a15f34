import { createHash } from 'node:crypto'

/** Long enough to rule out collisions. The id itself, which may identify a person, is not stored. */
const bytes = 16

/** Returns the digest that is stored for an accepted message. */
export function messageDigest(workspaceId: string, sourceId: string, messageId: string): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([workspaceId, sourceId, messageId]))
    .digest()
    .subarray(0, bytes)
}
