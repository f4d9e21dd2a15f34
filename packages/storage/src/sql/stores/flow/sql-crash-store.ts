import { type CrashStore, type EventPlace, nextStart, type StoredStart } from '@sluice/pipeline/store'
import type { Db, SqlSession } from '../../sql-session.ts'

export function createSqlCrashStore({ write }: SqlSession): CrashStore {
  return {
    started: (workspaceId, cursors) =>
      write({
        apply: async (db) => {
          const before = await storedStarts(db, workspaceId)
          const starts = new Map([...cursors].map(([name, cursor]) => [name, nextStart(before.get(name), cursor)]))
          await db.deleteFrom('consumer_start').where('workspace_id', '=', workspaceId).execute()
          for (const [consumer, { position, tries, suspects }] of starts)
            await db
              .insertInto('consumer_start')
              .values({
                workspace_id: workspaceId,
                consumer,
                position,
                tries,
                suspects_json: JSON.stringify(suspects),
                trying_json: null,
              })
              .execute()
          return new Map([...starts].map(([name, { tries, suspects }]) => [name, { tries, suspects }]))
        },
      }),
    trying: (workspaceId, consumer, place) =>
      write({ apply: (db) => setTrying(db, workspaceId, consumer, JSON.stringify(place)) }),
    tried: (workspaceId, consumer) => write({ apply: (db) => setTrying(db, workspaceId, consumer, null) }),
    stopped: (workspaceId) =>
      write({
        apply: async (db) => {
          await db.deleteFrom('consumer_start').where('workspace_id', '=', workspaceId).execute()
        },
      }),
  }
}

async function storedStarts(db: Db, workspaceId: string): Promise<ReadonlyMap<string, StoredStart>> {
  const rows = await db.selectFrom('consumer_start').selectAll().where('workspace_id', '=', workspaceId).execute()
  return new Map(
    rows.map(({ consumer, position, tries, suspects_json: suspects, trying_json: trying }) => [
      consumer,
      {
        position,
        tries,
        suspects: JSON.parse(suspects) as EventPlace[],
        trying: trying === null ? undefined : (JSON.parse(trying) as EventPlace),
      },
    ]),
  )
}

async function setTrying(db: Db, workspaceId: string, consumer: string, trying: string | null): Promise<void> {
  await db
    .updateTable('consumer_start')
    .set({ trying_json: trying })
    .where('workspace_id', '=', workspaceId)
    .where('consumer', '=', consumer)
    .execute()
}
