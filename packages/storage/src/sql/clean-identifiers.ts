import { identifierText, type JsonValue } from '@sluice/core'
import { hashText } from '@sluice/core/hash'
import { userDigest } from '@sluice/schema'
import { sql } from 'kysely'
import type { Db } from './sql-session.ts'
import { resetSegments } from './stores/governance/sql-segment-store.ts'

/** Rows that are read at a time. */
const rowsAtOnce = 500

/**
 * Cleans the identifiers that were stored before Unicode forms counted as the same: of regulations, whose index is built
 * again when one changes, of deletion jobs, and of samples. Only texts outside ASCII can differ, so a store without them
 * is read from its indexes.
 */
export async function cleanIdentifiers(db: Db): Promise<void> {
  if (await cleanRegulations(db)) await resetSegments(db)
  await cleanDeletionJobs(db)
  await cleanSamples(db)
}

/** Whether a column has texts outside ASCII. */
const hasOtherThanAscii = (column: string) =>
  sql<boolean>`octet_length(${sql.ref(column)}) <> length(${sql.ref(column)})`

/** @returns whether any regulation has changed. */
async function cleanRegulations(db: Db): Promise<boolean> {
  let hasChanged = false
  for (let after = -1; ; ) {
    const page = db.selectFrom('regulation').select(['seq', 'workspace_id', 'id', 'user_id', 'attributes_json'])
    const rows = await page
      .where('seq', '>', after)
      .where(hasOtherThanAscii('user_id'))
      .orderBy('seq')
      .limit(rowsAtOnce)
      .execute()
    const last = rows.at(-1)
    if (last === undefined) return hasChanged
    after = last.seq
    for (const { workspace_id, id, user_id, attributes_json } of rows) {
      const cleaned = identifierText(user_id)
      if (cleaned === user_id) continue
      hasChanged = true
      const attributes = JSON.stringify({ ...JSON.parse(attributes_json), userId: cleaned })
      await db
        .updateTable('regulation')
        .set({ user_id: cleaned, attributes_json: attributes })
        .where('workspace_id', '=', workspace_id)
        .where('id', '=', id)
        .execute()
    }
  }
}

async function cleanDeletionJobs(db: Db): Promise<void> {
  for (let after = -1; ; ) {
    const page = db.selectFrom('deletion_job').select(['seq', 'attributes_json']).where('seq', '>', after)
    const rows = await page.where(hasOtherThanAscii('attributes_json')).orderBy('seq').limit(rowsAtOnce).execute()
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.seq
    for (const { seq, attributes_json } of rows) {
      const attributes: { readonly userId?: JsonValue } = JSON.parse(attributes_json)
      const cleaned = identifierText(attributes.userId)
      if (cleaned === attributes.userId) continue
      const set = { attributes_json: JSON.stringify({ ...attributes, userId: cleaned }) }
      await db.updateTable('deletion_job').set(set).where('seq', '=', seq).execute()
    }
  }
}

/**
 * Computes the digests of samples again. Where the sample does not show the id that its digest was made of, because a mask
 * hides it, the digest cannot be checked: such samples are removed rather than missed by a later deletion.
 */
async function cleanSamples(db: Db): Promise<void> {
  for (let after = -1; ; ) {
    const page = db.selectFrom('schema_sample').select(['id', 'text', 'user_digest']).where('id', '>', after)
    const rows = await page.where('user_digest', '<>', '').orderBy('id').limit(rowsAtOnce).execute()
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
    for (const { id, text, user_digest } of rows) {
      const { userId }: { readonly userId?: JsonValue } = JSON.parse(text)
      const digest = userDigest(userId)
      if (digest === user_digest) continue
      const isShown = hashText('sha256', identifierTextBefore(userId)) === user_digest
      if (isShown) await db.updateTable('schema_sample').set({ user_digest: digest }).where('id', '=', id).execute()
      else await db.deleteFrom('schema_sample').where('id', '=', id).execute()
    }
  }
}

/** What `identifierText` returned before it normalised. */
function identifierTextBefore(value: JsonValue | undefined): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '')
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu, '').trim()
}
