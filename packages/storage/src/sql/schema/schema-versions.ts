import { type Random, uuidV4 } from '@sluice/core'
import type { VersionDelta } from '@sluice/schema'
import { inChunks } from '../in-chunks.ts'
import type { Db } from '../sql-session.ts'

/** Returns which of these versions of a model are stored, by hash. */
export async function knownHashesOf(
  db: Db,
  eventId: string,
  versions: readonly VersionDelta[],
): Promise<ReadonlySet<string>> {
  const hashes = new Set<string>()
  await inChunks(versions, async (chunk) => {
    const rows = await db
      .selectFrom('schema_version')
      .select('schema_hash')
      .where('event_model_id', '=', eventId)
      .where(
        'schema_hash',
        'in',
        chunk.map(({ schemaHash }) => schemaHash),
      )
      .execute()
    for (const row of rows) hashes.add(row.schema_hash)
  })
  return hashes
}

/**
 * Adds the counts of versions to their rows, and creates the rows that do not exist yet. One statement takes hundreds
 * of versions: an event with a new set of keys costs little more than one with known keys.
 *
 * @param versions of one model, each hash once
 * @param known hashes of the versions that have a row
 * @returns the id of each version, by hash
 */
export async function countVersions(
  db: Db,
  random: Random,
  eventId: string,
  versions: readonly VersionDelta[],
  known: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  await inChunks(versions, async (chunk) => {
    const rows = await db
      .insertInto('schema_version')
      .values(
        chunk.map(({ schemaHash, schema, firstSeen, lastSeen, count }) => ({
          version_id: uuidV4(random),
          event_model_id: eventId,
          schema_hash: schemaHash,
          // Not used where there is a row: it keeps its schema.
          schema_json: known.has(schemaHash) ? '{}' : JSON.stringify(schema),
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
      .returning(['version_id', 'schema_hash'])
      .execute()
    for (const row of rows) ids.set(row.schema_hash, row.version_id)
  })
  return ids
}
