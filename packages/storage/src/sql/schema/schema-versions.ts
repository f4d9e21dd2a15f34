import { type Random, uuidV4 } from '@sluice/core'
import { overflowHash, type VersionDelta } from '@sluice/schema'
import { inChunks } from '../in-chunks.ts'
import type { Db } from '../sql-session.ts'

/** A version of a model, with what is to be added to it. */
export interface OwnedVersion {
  /** Id of the model. */
  readonly eventId: string
  readonly version: VersionDelta
}

/** Key of a version among those of all models. */
export function versionKey(eventId: string, schemaHash: string): string {
  return `${schemaHash} ${eventId}`
}

/** Returns which of these versions are stored, by key. */
export async function knownVersions(db: Db, versions: readonly OwnedVersion[]): Promise<ReadonlySet<string>> {
  const keys = new Set<string>()
  await inChunks(versions, async (chunk) => {
    const rows = await db
      .selectFrom('schema_version')
      .select(['event_model_id', 'schema_hash'])
      // Models share few hashes, so hardly a row is read in vain.
      .where('event_model_id', 'in', [...new Set(chunk.map(({ eventId }) => eventId))])
      .where('schema_hash', 'in', [...new Set(chunk.map(({ version }) => version.schemaHash))])
      .execute()
    for (const row of rows) keys.add(versionKey(row.event_model_id, row.schema_hash))
  })
  return keys
}

/** Returns how many versions of models are stored, without the overflow version; nothing for a model without any. */
export async function countLearnt(db: Db, eventIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const counted = new Map<string, number>()
  await inChunks(eventIds, async (chunk) => {
    const rows = await db
      .selectFrom('schema_version')
      .select(['event_model_id', (eb) => eb.fn.countAll<number>().as('versions')])
      .where('event_model_id', 'in', chunk)
      .where('schema_hash', '!=', overflowHash)
      .groupBy('event_model_id')
      .execute()
    for (const { event_model_id, versions } of rows) counted.set(event_model_id, versions)
  })
  return counted
}

/**
 * Adds the counts of versions to their rows, and creates the rows that do not exist yet. One statement takes hundreds
 * of versions: an event with a new set of keys costs little more than one with known keys.
 *
 * @param versions each one once
 * @param known keys of the versions that have a row
 * @returns the id of each version, by key
 */
export async function countVersions(
  db: Db,
  random: Random,
  versions: readonly OwnedVersion[],
  known: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  await inChunks(versions, async (chunk) => {
    const rows = await db
      .insertInto('schema_version')
      .values(
        chunk.map(({ eventId, version: { schemaHash, schema, firstSeen, lastSeen, count } }) => ({
          version_id: uuidV4(random),
          event_model_id: eventId,
          schema_hash: schemaHash,
          // Not used where there is a row: it keeps its schema.
          schema_json: known.has(versionKey(eventId, schemaHash)) ? '{}' : JSON.stringify(schema),
          first_seen: firstSeen,
          last_seen: lastSeen,
          total_count: count,
          key_counts_json: null,
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['event_model_id', 'schema_hash']).doUpdateSet((eb) => {
          const [first, last] = ['schema_version.first_seen', 'schema_version.last_seen'] as const
          const [newFirst, newLast] = [eb.ref('excluded.first_seen'), eb.ref('excluded.last_seen')]
          return {
            total_count: eb('schema_version.total_count', '+', eb.ref('excluded.total_count')),
            first_seen: eb.case().when(first, '>', newFirst).then(newFirst).else(eb.ref(first)).end(),
            last_seen: eb.case().when(last, '<', newLast).then(newLast).else(eb.ref(last)).end(),
          }
        }),
      )
      .returning(['version_id', 'event_model_id', 'schema_hash'])
      .execute()
    for (const row of rows) ids.set(versionKey(row.event_model_id, row.schema_hash), row.version_id)
  })
  return ids
}
