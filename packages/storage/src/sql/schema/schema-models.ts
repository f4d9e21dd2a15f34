import { type Clock, type Random, uuidV4 } from '@sluice/core'
import { type ModelKey, modelKeyText, type SchemaLimits } from '@sluice/schema'
import { type Selectable, sql } from 'kysely'
import { inChunks } from '../in-chunks.ts'
import type { Db } from '../sql-session.ts'
import type { Tables } from '../tables.ts'

export type ModelRow = Selectable<Tables['event_model']>

interface OpenModelsOptions {
  readonly workspaceId: string
  readonly clock: Clock
  readonly random: Random
  readonly limits: SchemaLimits
}

/** Structure before any event was seen. */
const nothingSeen = '{"kinds":0}'

/**
 * Returns the rows of models, by the text of their key, and creates the rows that do not exist. A model for which its
 * source has no room is left out. The models of a source are counted once: a flood of new names costs a few statements.
 */
export async function openModels(
  db: Db,
  options: OpenModelsOptions,
  keys: readonly ModelKey[],
): Promise<ReadonlyMap<string, ModelRow>> {
  const rows = await knownModels(db, options.workspaceId, keys)
  const fresh = keys.filter((key) => !rows.has(modelKeyText(key)))
  const room = new Map<string, number>()
  for (const writeKey of new Set(fresh.map((key) => key.writeKey)))
    room.set(writeKey, await roomForModels(db, options, writeKey))
  const created = fresh.filter(({ writeKey }) => {
    const left = room.get(writeKey) ?? 0
    room.set(writeKey, left - 1)
    return left > 0
  })
  for (const row of await createModels(db, options, created)) rows.set(textOf(row), row)
  return rows
}

const textOf = ({ write_key, event_type, event_identifier }: ModelRow): string =>
  modelKeyText({ writeKey: write_key, eventType: event_type, eventIdentifier: event_identifier })

async function knownModels(db: Db, workspaceId: string, keys: readonly ModelKey[]): Promise<Map<string, ModelRow>> {
  const known = new Map<string, ModelRow>()
  // One statement per source and type, which the index answers; a list of alternatives it would not.
  const kinds = new Map<string, ModelKey[]>()
  for (const key of keys) {
    const kind = modelKeyText({ ...key, eventIdentifier: '' })
    const ofKind = kinds.get(kind)
    if (ofKind === undefined) kinds.set(kind, [key])
    else ofKind.push(key)
  }
  for (const ofKind of kinds.values())
    await inChunks(ofKind, async (chunk) => {
      const [first] = chunk
      if (first === undefined) return
      const names = chunk.map(({ eventIdentifier }) => eventIdentifier)
      const rows = await db
        .selectFrom('event_model')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('write_key', '=', first.writeKey)
        .where('event_type', '=', first.eventType)
        .where('event_identifier', 'in', names)
        .execute()
      for (const row of rows) known.set(textOf(row), row)
    })
  return known
}

async function roomForModels(db: Db, { workspaceId, limits }: OpenModelsOptions, writeKey: string): Promise<number> {
  const { models } = await db
    .selectFrom('event_model')
    .select((eb) => eb.fn.countAll<number>().as('models'))
    .where('workspace_id', '=', workspaceId)
    .where('write_key', '=', writeKey)
    .executeTakeFirstOrThrow()
  return Math.max(0, limits.modelsMax + limits.archivedModelsMax - models)
}

async function createModels(
  db: Db,
  { workspaceId, clock, random }: OpenModelsOptions,
  keys: readonly ModelKey[],
): Promise<readonly ModelRow[]> {
  const created: ModelRow[] = []
  await inChunks(keys, async (chunk) => {
    const rows = await db
      .insertInto('event_model')
      .values(
        chunk.map(({ writeKey, eventType, eventIdentifier }) => ({
          workspace_id: workspaceId,
          write_key: writeKey,
          event_type: eventType,
          event_identifier: eventIdentifier,
          event_id: uuidV4(random),
          created_at: clock.now(),
          schema_json: '{}',
          structure_json: nothingSeen,
          last_seen: 0,
          total_count: 0,
        })),
      )
      .returningAll()
      .execute()
    created.push(...rows)
  })
  return created
}

/** What is stored of a model after more of its events were seen. */
export interface GrownModel {
  readonly id: number
  readonly total: number
  /** Milliseconds since the epoch. */
  readonly lastSeen: number
  /** JSON texts; undefined stays as it is. */
  readonly schema: string | undefined
  readonly structure: string | undefined
}

/** Stores what was seen of models. */
export async function growModels(db: Db, grown: readonly GrownModel[]): Promise<void> {
  await inChunks(grown, (chunk) => {
    const rows = chunk.map(
      ({ id, total, lastSeen, schema = null, structure = null }) =>
        sql`select cast(${id} as bigint) as id, cast(${total} as bigint) as total, cast(${lastSeen} as bigint) as last_seen,
          cast(${schema} as text) as schema_json, cast(${structure} as text) as structure_json`,
    )
    return sql`update event_model set total_count = grown.total, last_seen = grown.last_seen,
        schema_json = coalesce(grown.schema_json, event_model.schema_json),
        structure_json = coalesce(grown.structure_json, event_model.structure_json)
      from (${sql.join(rows, sql` union all `)}) as grown where event_model.id = grown.id`.execute(db)
  })
}
