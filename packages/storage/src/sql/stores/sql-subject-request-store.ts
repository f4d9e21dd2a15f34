import { lookMsMax, type StoredSubjectRequest, type SubjectRequest, type SubjectRequestStore } from '@sluice/regulation'
import { inChunks } from '../in-chunks.ts'
import type { SqlSession } from '../sql-session.ts'

export function createSqlSubjectRequestStore({ read, write }: SqlSession): SubjectRequestStore {
  return {
    add: (stored) =>
      write({
        apply: async (db) => {
          const { workspaceId, id } = stored.request
          await db
            .insertInto('subject_request')
            .values(rowOf(stored))
            .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doNothing())
            .execute()
          const { request_json } = await db
            .selectFrom('subject_request')
            .select('request_json')
            .where('workspace_id', '=', workspaceId)
            .where('id', '=', id)
            .executeTakeFirstOrThrow()
          return requestOf(request_json)
        },
      }),
    find: (workspaceId, id) =>
      read(async (db) => {
        const row = await db
          .selectFrom('subject_request')
          .select('request_json')
          .where('workspace_id', '=', workspaceId)
          .where('id', '=', id)
          .executeTakeFirst()
        return row && requestOf(row.request_json)
      }),
    due: async (now, limit) => {
      const rows = await read((db) =>
        db
          .selectFrom('subject_request')
          .select(['request_json', 'due_at'])
          // The condition of `isLookDue`.
          .where(({ eb, or }) => or([eb('due_at', '<=', now), eb('due_at', '>', now + lookMsMax)]))
          .orderBy('due_at')
          .limit(limit)
          .execute(),
      )
      return rows.map((row) => ({ request: requestOf(row.request_json), dueAt: row.due_at ?? undefined }))
    },
    nextDueAt: async (now) => {
      const row = await read((db) =>
        db
          .selectFrom('subject_request')
          .select(({ fn }) => fn.min<number | null>('due_at').as('next'))
          .where('due_at', '>', now)
          .executeTakeFirstOrThrow(),
      )
      return row.next ?? undefined
    },
    update: async (stored, seenDueAt) => {
      await write({
        apply: async (db) => {
          const { workspaceId, id } = stored.request
          const { request_json, due_at } = rowOf(stored)
          const ofRequest = db
            .updateTable('subject_request')
            .where('workspace_id', '=', workspaceId)
            .where('id', '=', id)
          await ofRequest.set({ due_at }).where('due_at', '=', seenDueAt).execute()
          await ofRequest.set({ request_json }).execute()
        },
      })
    },
    bringForward: async (workspaceId, regulationIds, now) => {
      await write({
        apply: (db) =>
          inChunks(regulationIds, (chunk) =>
            db
              .updateTable('subject_request')
              .set({ due_at: now })
              .where('workspace_id', '=', workspaceId)
              .where('regulation_id', 'in', chunk)
              .where('due_at', 'is not', null)
              .execute(),
          ),
      })
    },
    forget: async (before) => {
      await write({
        apply: (db) =>
          db.deleteFrom('subject_request').where('due_at', 'is', null).where('received_at', '<', before).execute(),
      })
    },
  }
}

function rowOf({ request, dueAt }: StoredSubjectRequest) {
  return {
    workspace_id: request.workspaceId,
    id: request.id,
    regulation_id: request.regulationId ?? null,
    request_json: JSON.stringify(request),
    received_at: request.receivedAt,
    due_at: dueAt === undefined ? null : Math.ceil(dueAt),
  }
}

const requestOf = (text: string): SubjectRequest => JSON.parse(text)
