import {
  forgetMentionsInValues,
  isSampleOf,
  type Mentions,
  type ModelKey,
  type ModelValues,
  mergeValues,
  overflowHash,
  type SchemaLimits,
  uniteCounters,
  type VersionValues,
} from '@sluice/schema'
import { inChunks } from '../in-chunks.ts'
import type { Db, SqlSession } from '../sql-session.ts'
import { addBounds, BoundTally } from './schema-bounds.ts'

/** Models and versions per step: their values are in memory together, and other writes wait for the transaction. */
const ownersAtOnce = 8

/** Creates the function that adds value counters to those of versions and their model, in a transaction. */
export function createValuesMerge(limits: SchemaLimits) {
  return async (db: Db, workspaceId: string, { versions, ...key }: ModelValues): Promise<void> => {
    const ids = await versionIds(db, workspaceId, key, versions)
    const counters = new Map<string, VersionValues['counters'][]>()
    for (const version of versions) {
      const id = ids.byHash.get(version.schemaHash) ?? ids.byHash.get(overflowHash)
      if (id !== undefined) counters.set(id, [...(counters.get(id) ?? []), version.counters])
    }
    if (ids.eventId === undefined || counters.size === 0) return
    const added = [...counters, [ids.eventId, [...counters.values()].flat()] as const]
    const bounds = new BoundTally()
    for (let start = 0; start < added.length; start += ownersAtOnce) {
      const some = added.slice(start, start + ownersAtOnce)
      const owners = some.map(([ownerId]) => ownerId)
      const stored = await db
        .selectFrom('schema_values')
        .select(['owner_id', 'values_json'])
        .where('owner_id', 'in', owners)
        .execute()
      const before = new Map(stored.map(({ owner_id, values_json }) => [owner_id, values_json]))
      const merged = some.map(([ownerId, more]) => {
        const [only = new Map(), ...others] = more
        const united = others.length === 0 ? only : uniteCounters(more)
        const { text, leftOut } = mergeValues(before.get(ownerId), united, limits)
        for (const bound of ['keysPerModel', 'valuesPruned'] as const) bounds.add(key.writeKey, bound, leftOut[bound])
        return { workspace_id: workspaceId, owner_id: ownerId, values_json: text }
      })
      await db
        .insertInto('schema_values')
        .values(merged)
        .onConflict((conflict) =>
          conflict.column('owner_id').doUpdateSet((eb) => ({ values_json: eb.ref('excluded.values_json') })),
        )
        .execute()
    }
    await addBounds(db, workspaceId, bounds.deltas())
  }
}

/** Returns the ids of the stored versions by hash, including the overflow version, and the id of their model. */
async function versionIds(db: Db, workspaceId: string, key: ModelKey, versions: readonly VersionValues[]) {
  const byHash = new Map<string, string>()
  let eventId: string | undefined
  const hashes = [overflowHash, ...versions.map(({ schemaHash }) => schemaHash)]
  await inChunks(hashes, async (chunk) => {
    const rows = await db
      .selectFrom('schema_version')
      .innerJoin('event_model', 'event_model.event_id', 'schema_version.event_model_id')
      .select(['version_id', 'schema_hash', 'event_model_id'])
      .where('workspace_id', '=', workspaceId)
      .where('write_key', '=', key.writeKey)
      .where('event_type', '=', key.eventType)
      .where('event_identifier', '=', key.eventIdentifier)
      .where('schema_hash', 'in', chunk)
      .execute()
    for (const row of rows) {
      byHash.set(row.schema_hash, row.version_id)
      eventId = row.event_model_id
    }
  })
  return { byHash, eventId }
}

/** Implements `SchemaStore.forget`. Reads all samples and values once for any number of users. */
export async function forgetMentions(
  { read, write }: SqlSession,
  workspaceId: string,
  mentions: Mentions,
): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const from: number = after
    after = await write({ apply: (db) => forgetSomeSamples(db, workspaceId, from, mentions) })
  }
  const owners = await read((db) =>
    db.selectFrom('schema_values').select('owner_id').where('workspace_id', '=', workspaceId).execute(),
  )
  for (let start = 0; start < owners.length; start += ownersAtOnce)
    await write({
      apply: async (db) => {
        // One at a time, because together they may not fit in memory.
        for (const { owner_id } of owners.slice(start, start + ownersAtOnce)) {
          const values = db.selectFrom('schema_values').select('values_json').where('owner_id', '=', owner_id)
          const row = await values.executeTakeFirst()
          const values_json = row && forgetMentionsInValues(row.values_json, mentions)
          if (values_json !== undefined)
            await db.updateTable('schema_values').set({ values_json }).where('owner_id', '=', owner_id).execute()
        }
      },
    })
}

/** Samples per transaction; one can be as large as an event. */
const samplesAtOnce = 100

/** @returns the id of the last sample that was looked at; undefined when there is none. */
async function forgetSomeSamples(
  db: Db,
  workspaceId: string,
  after: number,
  mentions: Mentions,
): Promise<number | undefined> {
  const ofWorkspace = db
    .selectFrom('schema_version')
    .innerJoin('event_model', 'event_model.event_id', 'schema_version.event_model_id')
    .select('version_id')
    .where('workspace_id', '=', workspaceId)
  const found = await db
    .selectFrom('schema_sample')
    .select(['id', 'rank', 'text', 'user_digest'])
    .where('version_id', 'in', ofWorkspace)
    .where('id', '>', after)
    .orderBy('id')
    .limit(samplesAtOnce)
    .execute()
  const theirs = found.filter(({ rank, text, user_digest: user }) => isSampleOf({ rank, text, user }, mentions))
  await inChunks(theirs, (chunk) =>
    db
      .deleteFrom('schema_sample')
      .where(
        'id',
        'in',
        chunk.map(({ id }) => id),
      )
      .execute(),
  )
  return found.at(-1)?.id
}
