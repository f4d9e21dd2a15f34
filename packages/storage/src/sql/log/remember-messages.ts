import type { Deduplication } from '@sluice/pipeline'
import { messageDigest } from '../../message-digest.ts'
import { inChunks } from '../in-chunks.ts'
import type { Db } from '../sql-session.ts'
import type { LogRow } from './log-rows.ts'

/** Expired digests deleted with each batch, in addition to as many as it adds: they are deleted step by step. */
const forgottenMin = 200

/**
 * Stores the digests of a batch's messages in the transaction that appends it.
 * @returns the indexes of messages accepted before, repeated ones within the batch included.
 */
export async function rememberMessages(
  db: Db,
  { workspace_id, source_id, received_at }: LogRow,
  messageIds: readonly string[],
  { windowMs, idsMax }: Deduplication,
): Promise<readonly number[]> {
  const digests = messageIds.map((messageId) => messageDigest(workspace_id, source_id, messageId))
  const outdated = received_at - windowMs
  const known = new Set<string>()
  await inChunks(digests, async (chunk) => {
    // Also digests from the future: the clock was set back, and might not catch up for years.
    await db
      .deleteFrom('message_digest')
      .where('digest', 'in', chunk)
      .where(({ eb }) => eb.or([eb('at', '<=', outdated), eb('at', '>=', received_at + windowMs)]))
      .execute()
    const rows = await db.selectFrom('message_digest').select('digest').where('digest', 'in', chunk).execute()
    for (const { digest } of rows) known.add(digest.toString('hex'))
  })
  const duplicates: number[] = []
  const fresh = digests.filter((digest, place) => {
    const key = digest.toString('hex')
    if (known.has(key)) duplicates.push(place)
    const isFresh = !known.has(key)
    known.add(key)
    return isFresh
  })
  await inChunks(fresh, (chunk) =>
    db
      .insertInto('message_digest')
      .values(chunk.map((digest) => ({ digest, at: received_at })))
      .execute(),
  )
  await forgetOld(db, outdated, idsMax, forgottenMin + messageIds.length)
  return duplicates
}

async function forgetOld(db: Db, outdated: number, idsMax: number, limit: number): Promise<void> {
  await db
    .deleteFrom('message_digest')
    .where('seq', 'in', (from) =>
      from.selectFrom('message_digest').select('seq').where('at', '<=', outdated).orderBy('at').limit(limit),
    )
    .execute()
  const { newest } = await db
    .selectFrom('message_digest')
    .select(({ fn }) => fn.max<number | null>('seq').as('newest'))
    .executeTakeFirstOrThrow()
  // `seq` grows by one with each row, so at most `idsMax` rows are left.
  await db
    .deleteFrom('message_digest')
    .where('seq', '<=', (newest ?? 0) - idsMax)
    .execute()
}
