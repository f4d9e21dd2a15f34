import { createHash } from 'node:crypto'

/** Long enough that no two messages ever meet; the id itself, which may tell who somebody is, is not kept. */
const bytes = 16

/** What is remembered of an accepted message. */
export function messageDigest(workspaceId: string, sourceId: string, messageId: string): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([workspaceId, sourceId, messageId]))
    .digest()
    .subarray(0, bytes)
}
