import { type Clock, readKey } from '@sluice/core'
import { keysOfRegulation, type Regulation, type RegulationStore } from '@sluice/regulation'
import { type Insertable, type Selectable, sql } from 'kysely'
import { inChunks } from '../../in-chunks.ts'
import type { Db, SqlSession } from '../../sql-session.ts'
import type { Tables } from '../../tables.ts'
import { addIdentities, personOf } from './rebuild-identities.ts'
import { addJobs, cancelJobs, countJobs, identifyJobs } from './sql-deletion-store.ts'

export type SqlRegulationStore = Omit<RegulationStore, 'index' | 'deletions' | 'ledger' | 'writings' | 'requests'>

export function createSqlRegulationStore({ read, write }: SqlSession, clock: Pick<Clock, 'now'>): SqlRegulationStore {
  return {
    add: (regulations, jobs = [], limit) =>
      write({
        ...ownerOf(regulations[0] ?? jobs[0]),
        apply: async (db) => {
          if (limit && jobs.length > 0 && (await countJobs(db, limit)) + jobs.length > limit.max) return false
          await inChunks(regulations, (chunk) => addChunk(db, chunk))
          await addJobs(db, jobs)
          return true
        },
      }),
    cancel: async (workspaceId, id) => {
      const row = await write({
        apply: async (db) => {
          const canceled = await db
            .updateTable('regulation')
            .set({ canceled: 1 })
            .where('workspace_id', '=', workspaceId)
            .where('id', '=', id)
            .where('canceled', '=', 0)
            .returningAll()
            .executeTakeFirst()
          if (canceled) {
            await db
              .insertInto('regulation_change')
              .values(await takeKeys(db, canceled))
              .execute()
            await cancelJobs(db, workspaceId, id, clock.now())
          }
          const of = db.selectFrom('regulation').selectAll().where('workspace_id', '=', workspaceId)
          return canceled ?? (await of.where('id', '=', id).executeTakeFirst())
        },
      })
      return row && regulationOf(row)
    },
    identify: async (regulations) => {
      await write({
        apply: async (db) => {
          for (const regulation of regulations) await identifyOne(db, regulation, clock.now())
        },
      })
    },
    find: async (workspaceId, id) => {
      const row = await read((db) =>
        db
          .selectFrom('regulation')
          .selectAll()
          .where('workspace_id', '=', workspaceId)
          .where('id', '=', id)
          .executeTakeFirst(),
      )
      return row && regulationOf(row)
    },
    findAll: async (workspaceId, ids) => {
      const rows: Selectable<Tables['regulation']>[] = []
      await inChunks(ids, async (chunk) => {
        const found = await read((db) =>
          db
            .selectFrom('regulation')
            .selectAll()
            .where('workspace_id', '=', workspaceId)
            .where('id', 'in', chunk)
            .execute(),
        )
        rows.push(...found)
      })
      return rows.map(regulationOf)
    },
    list: async (workspaceId, { after = 0, limit, userId, alias = userId }) => {
      const rows = await read((db) => {
        const all = db.selectFrom('regulation').selectAll().where('workspace_id', '=', workspaceId)
        // An expression, so that the index by user is chosen instead of the one by `seq`.
        const place = userId === undefined ? sql<number>`seq` : sql<number>`seq + 0`
        return (userId === undefined ? all : all.where('user_id', 'in', [userId, alias ?? userId]))
          .where(place, '>', after)
          .orderBy(place)
          .limit(limit + 1)
          .execute()
      })
      const page = rows.slice(0, limit)
      const next = rows.length > limit ? page.at(-1)?.seq : undefined
      return { regulations: page.map(regulationOf), next }
    },
    all: async ({ after = 0, limit }) => {
      const rows = await read((db) =>
        db
          .selectFrom('regulation')
          .selectAll()
          .where('seq', '>', after)
          .orderBy('seq')
          .limit(limit + 1)
          .execute(),
      )
      const page = rows.slice(0, limit)
      const next = rows.length > limit ? page.at(-1)?.seq : undefined
      return { regulations: page.map(regulationOf), next }
    },
    activeOf: async (workspaceId, keys) => {
      const rows = new Map<number, Selectable<Tables['regulation']>>()
      await inChunks([...new Set(keys)], async (chunk) => {
        const found = await read(async (db) => {
          const active = db
            .selectFrom('regulation')
            .selectAll('regulation')
            .where('canceled', '=', 0)
            .where('regulation.workspace_id', '=', workspaceId)
          const byUser = await active.where('user_id', 'in', chunk).execute()
          // Few regulations have other keys, and an id is never one.
          const marked = chunk.filter((key) => readKey(key).name !== 'userId')
          if (marked.length === 0) return byUser
          const byOthers = await active
            .innerJoin('regulation_identity as other', (join) =>
              join
                .onRef('other.workspace_id', '=', 'regulation.workspace_id')
                .onRef('other.regulation_id', '=', 'regulation.id'),
            )
            .where('other.identity', 'in', marked)
            .execute()
          return [...byUser, ...byOthers]
        })
        for (const row of found) rows.set(row.seq, row)
      })
      return [...rows.values()].sort((a, b) => a.seq - b.seq).map(regulationOf)
    },
    activeAt: (position) =>
      read(async (db) => {
        // One statement, which sees both at the same moment.
        const { later, active, further } = await db
          .selectFrom('regulation')
          .select(({ fn, selectFrom }) => [
            fn.countAll<number>().as('active'),
            selectFrom('regulation_identity')
              .select((others) => others.fn.countAll<number>().as('count'))
              .as('further'),
            selectFrom('regulation_change')
              .select((changes) => changes.fn.max<number | null>('position').as('newest'))
              .as('later'),
          ])
          // Not as a value: the index of active regulations is used for this constant only.
          .where('canceled', '=', sql.lit(0))
          .executeTakeFirstOrThrow()
        return (later ?? 0) > position ? undefined : active + (further ?? 0)
      }),
    hasFurtherKeys: () =>
      read(async (db) => (await db.selectFrom('regulation_identity').select('identity').limit(1).execute()).length > 0),
    changes: async (after, limit) => {
      const rows = await read((db) => {
        const later = db.selectFrom('regulation_change').selectAll().where('position', '>', after)
        return later.orderBy('position').limit(limit).execute()
      })
      return rows.map(({ position, workspace_id, user_id, delta }) => ({
        position,
        workspaceId: workspace_id,
        userId: user_id,
        delta: delta > 0 ? 1 : -1,
      }))
    },
  }
}

/** Regulations and jobs that are added together take the turns of one workspace: requests are of one. */
function ownerOf(first: { readonly workspaceId: string } | undefined): { readonly owner?: string } {
  return first === undefined ? {} : { owner: first.workspaceId }
}

async function identifyOne(
  db: Db,
  regulation: Pick<Regulation, 'workspaceId' | 'id' | 'attributes'>,
  now: number,
): Promise<void> {
  const { workspaceId, id, attributes } = regulation
  const found = await db
    .selectFrom('regulation')
    .select(['workspace_id', 'id', 'regulation_type', 'user_id', 'attributes_json'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('canceled', '=', 0)
    .executeTakeFirst()
  if (found === undefined) return
  const { regulationType } = personOf(found)
  const keys = keysOfRegulation({ regulationType, attributes })
  const row = { ...found, attributes_json: JSON.stringify(attributes), user_id: keys[0] ?? '' }
  const { attributes_json, user_id } = row
  await db
    .updateTable('regulation')
    .set({ attributes_json, user_id })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
  const before = await takeKeys(db, found)
  await addIdentities(db, [row])
  const after = keys.map((user_id) => ({ workspace_id: workspaceId, user_id, delta: 1 }))
  // The new ones first, so that the person is in the index all the time.
  await db
    .insertInto('regulation_change')
    .values([...after, ...before])
    .execute()
  await identifyJobs(db, regulation, now)
}

/** Deletes the keys of a regulation behind the first. @returns the changes that take all its keys out of the index. */
async function takeKeys(
  db: Db,
  { workspace_id, id, user_id }: Pick<Tables['regulation'], 'workspace_id' | 'id' | 'user_id'>,
): Promise<Insertable<Tables['regulation_change']>[]> {
  const further = await db
    .deleteFrom('regulation_identity')
    .where('workspace_id', '=', workspace_id)
    .where('regulation_id', '=', id)
    .returning('identity')
    .execute()
  return [user_id, ...further.map(({ identity }) => identity)].map((key) => ({ workspace_id, user_id: key, delta: -1 }))
}

async function addChunk(db: Db, regulations: readonly Regulation[]): Promise<void> {
  const { last } = await db
    .selectFrom('regulation')
    .select(sql<number>`coalesce(max(seq), 0)`.as('last'))
    .executeTakeFirstOrThrow()
  const added = await db
    .insertInto('regulation')
    .values(regulations.map((regulation, i) => rowOf(regulation, last + 1 + i)))
    .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doNothing())
    .returning(['workspace_id', 'id', 'regulation_type', 'user_id', 'attributes_json', 'canceled'])
    .execute()
  const active = added.filter(({ canceled }) => canceled === 0)
  const further = await addIdentities(db, active)
  const changes = [
    ...active.map(({ workspace_id, user_id }) => ({ workspace_id, user_id, delta: 1 })),
    ...further.map(({ workspace_id, identity }) => ({ workspace_id, user_id: identity, delta: 1 })),
  ]
  await inChunks(changes, (chunk) => db.insertInto('regulation_change').values(chunk).execute())
}

function rowOf(regulation: Regulation, seq: number): Tables['regulation'] {
  return {
    workspace_id: regulation.workspaceId,
    id: regulation.id,
    canceled: regulation.canceled ? 1 : 0,
    regulation_type: regulation.regulationType,
    attributes_json: JSON.stringify(regulation.attributes),
    source_ids_json: JSON.stringify(regulation.sourceIds),
    destination_ids_json: JSON.stringify(regulation.destinationIds),
    created_at: regulation.createdAt,
    seq,
    user_id: keysOfRegulation(regulation)[0] ?? '',
  }
}

function regulationOf(row: Selectable<Tables['regulation']>): Regulation {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    canceled: row.canceled === 1,
    ...personOf(row),
    sourceIds: JSON.parse(row.source_ids_json),
    destinationIds: JSON.parse(row.destination_ids_json),
    createdAt: row.created_at,
  }
}
