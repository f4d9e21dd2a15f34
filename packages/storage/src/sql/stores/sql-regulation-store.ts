import type { Clock } from '@sluice/core'
import type { Regulation, RegulationStore } from '@sluice/regulation'
import { type Selectable, sql } from 'kysely'
import { inChunks } from '../in-chunks.ts'
import type { Db, SqlSession } from '../sql-session.ts'
import type { Tables } from '../tables.ts'
import { addJobs, cancelJobs, countJobs, identifyJobs } from './sql-deletion-store.ts'

export type SqlRegulationStore = Omit<RegulationStore, 'index' | 'deletions' | 'ledger' | 'writings' | 'requests'>

export function createSqlRegulationStore({ read, write }: SqlSession, clock: Pick<Clock, 'now'>): SqlRegulationStore {
  return {
    add: (regulations, jobs = [], limit) =>
      write({
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
            const change = { workspace_id: workspaceId, user_id: canceled.user_id, delta: -1 }
            await db.insertInto('regulation_change').values(change).execute()
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
    list: async (workspaceId, { after = 0, limit, userId }) => {
      const rows = await read((db) => {
        const all = db.selectFrom('regulation').selectAll().where('workspace_id', '=', workspaceId)
        // An expression, so that the index by user is chosen instead of the one by `seq`.
        const place = userId === undefined ? sql<number>`seq` : sql<number>`seq + 0`
        return (userId === undefined ? all : all.where('user_id', '=', userId))
          .where(place, '>', after)
          .orderBy(place)
          .limit(limit + 1)
          .execute()
      })
      const page = rows.slice(0, limit)
      const next = rows.length > limit ? page.at(-1)?.seq : undefined
      return { regulations: page.map(regulationOf), ...(next === undefined ? {} : { next }) }
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
      return { regulations: page.map(regulationOf), ...(next === undefined ? {} : { next }) }
    },
    activeOf: async (workspaceId, userIds) => {
      const rows: Selectable<Tables['regulation']>[] = []
      await inChunks([...new Set(userIds)], async (chunk) => {
        const found = await read((db) => {
          const active = db.selectFrom('regulation').selectAll().where('canceled', '=', 0)
          return active.where('workspace_id', '=', workspaceId).where('user_id', 'in', chunk).execute()
        })
        rows.push(...found)
      })
      return rows.sort((a, b) => a.seq - b.seq).map(regulationOf)
    },
    activeAt: (position) =>
      read(async (db) => {
        // One statement, which sees both at the same moment.
        const { later, active } = await db
          .selectFrom('regulation')
          .select(({ fn, selectFrom }) => [
            fn.countAll<number>().as('active'),
            selectFrom('regulation_change')
              .select((changes) => changes.fn.max<number | null>('position').as('newest'))
              .as('later'),
          ])
          // Not as a value: the index of active regulations is used for this constant only.
          .where('canceled', '=', sql.lit(0))
          .executeTakeFirstOrThrow()
        return (later ?? 0) > position ? undefined : active
      }),
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

async function identifyOne(
  db: Db,
  regulation: Pick<Regulation, 'workspaceId' | 'id' | 'attributes'>,
  now: number,
): Promise<void> {
  const { workspaceId, id, attributes } = regulation
  const found = await db
    .selectFrom('regulation')
    .select('user_id')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('canceled', '=', 0)
    .executeTakeFirst()
  if (found === undefined) return
  await db
    .updateTable('regulation')
    .set({ attributes_json: JSON.stringify(attributes), user_id: attributes.userId })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
  // In this order, so that the user is in the index all the time.
  for (const [user_id, delta] of [
    [attributes.userId, 1],
    [found.user_id, -1],
  ] as const)
    await db.insertInto('regulation_change').values({ workspace_id: workspaceId, user_id, delta }).execute()
  await identifyJobs(db, regulation, now)
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
    .returning(['workspace_id', 'user_id', 'canceled'])
    .execute()
  const changes = added
    .filter(({ canceled }) => canceled === 0)
    .map(({ workspace_id, user_id }) => ({ workspace_id, user_id, delta: 1 }))
  if (changes.length > 0) await db.insertInto('regulation_change').values(changes).execute()
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
    user_id: regulation.attributes.userId,
  }
}

function regulationOf(row: Selectable<Tables['regulation']>): Regulation {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    canceled: row.canceled === 1,
    regulationType: row.regulation_type,
    attributes: JSON.parse(row.attributes_json),
    sourceIds: JSON.parse(row.source_ids_json),
    destinationIds: JSON.parse(row.destination_ids_json),
    createdAt: row.created_at,
  }
}
