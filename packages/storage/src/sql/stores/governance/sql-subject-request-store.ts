import { lookMsMax, type StoredSubjectRequest, type SubjectRequest, type SubjectRequestStore } from '@sluice/regulation'
import { inChunks } from '../../in-chunks.ts'
import type { SqlSession } from '../../sql-session.ts'

export function createSqlSubjectRequestStore({ read, write }: SqlSession): SubjectRequestStore {
  return {
    add: (stored) =>
      write({
        apply: async (db) => {
          const { workspaceId, id, regulationIds } = stored.request
          const added = await db
            .insertInto('subject_request')
            .values(rowOf(stored))
            .onConflict((conflict) => conflict.columns(['workspace_id', 'id']).doNothing())
            .returning('id')
            .executeTakeFirst()
          if (added && regulationIds.length > 0)
            await db
              .insertInto('subject_request_regulation')
              .values(
                regulationIds.map((regulation_id) => ({ workspace_id: workspaceId, regulation_id, request_id: id })),
              )
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
              .where('due_at', 'is not', null)
              .where('id', 'in', ({ selectFrom }) =>
                selectFrom('subject_request_regulation')
                  .select('request_id')
                  .where('workspace_id', '=', workspaceId)
                  .where('regulation_id', 'in', chunk),
              )
              .execute(),
          ),
      })
    },
    forget: async (before) => {
      await write({
        apply: async (db) => {
          await db.deleteFrom('subject_request').where('due_at', 'is', null).where('received_at', '<', before).execute()
          await db
            .deleteFrom('subject_request_regulation')
            .where(({ not, exists, selectFrom }) =>
              not(
                exists(
                  selectFrom('subject_request')
                    .select('subject_request.id')
                    .whereRef('subject_request.workspace_id', '=', 'subject_request_regulation.workspace_id')
                    .whereRef('subject_request.id', '=', 'subject_request_regulation.request_id'),
                ),
              ),
            )
            .execute()
        },
      })
    },
  }
}

function rowOf({ request, dueAt }: StoredSubjectRequest) {
  return {
    workspace_id: request.workspaceId,
    id: request.id,
    request_json: JSON.stringify(request),
    received_at: request.receivedAt,
    due_at: dueAt === undefined ? null : Math.ceil(dueAt),
  }
}

/** Earlier releases made one regulation of a request, `regulationId`. */
function requestOf(text: string): SubjectRequest {
  const { regulationId, ...request }: SubjectRequest & { readonly regulationId?: string } = JSON.parse(text)
  return { ...request, regulationIds: request.regulationIds ?? (regulationId === undefined ? [] : [regulationId]) }
}
