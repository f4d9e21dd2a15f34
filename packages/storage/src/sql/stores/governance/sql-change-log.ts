import type { Change, ChangeLog } from '@sluice/pipeline'
import { inChunks } from '../../in-chunks.ts'
import type { SqlSession } from '../../sql-session.ts'

/** Prunings per `changesMax` changes; each costs a statement. */
const changesPerPrune = 20

/** What is stored as one text, because nothing is chosen by it. */
type Shown = Pick<Change, 'who' | 'text' | 'before' | 'after' | 'call' | 'ref'> & { readonly name: string }

/** @param changesMax number of changes to keep; up to 5 % more between two prunings. */
export function createSqlChangeLog({ read, write }: SqlSession, changesMax: number): ChangeLog {
  const pruneEvery = Math.max(1, Math.floor(changesMax / changesPerPrune))
  let unpruned = pruneEvery
  return {
    add: async (changes) => {
      if (changes.length === 0) return
      await write({
        apply: async (db) => {
          const rows = changes.map(({ workspaceId, at, kind, subject: { kind: of, id, name }, ...shown }) => ({
            workspace_id: workspaceId,
            at,
            kind,
            subject_kind: of,
            subject_id: id,
            shown_json: JSON.stringify({ ...shown, name } satisfies Shown),
          }))
          await inChunks(rows, (some) => db.insertInto('change_entry').values(some).execute())
          unpruned += changes.length
          if (unpruned < pruneEvery) return
          unpruned = 0
          const newest = await db
            .selectFrom('change_entry')
            .select(({ fn }) => fn.max('seq').as('seq'))
            .executeTakeFirst()
          await db
            .deleteFrom('change_entry')
            .where('seq', '<=', Number(newest?.seq ?? 0) - changesMax)
            .execute()
        },
      })
    },
    list: async (workspaceId, limit, { since, until, kind, subjectKind, subjectId, before } = {}) => {
      const rows = await read((db) => {
        let query = db
          .selectFrom('change_entry')
          .selectAll()
          .where('workspace_id', '=', workspaceId)
          .orderBy('seq', 'desc')
          .limit(limit)
        if (since !== undefined) query = query.where('at', '>=', since)
        if (until !== undefined) query = query.where('at', '<', until)
        if (kind !== undefined) query = query.where('kind', '=', kind)
        if (subjectKind !== undefined) query = query.where('subject_kind', '=', subjectKind)
        if (subjectId !== undefined) query = query.where('subject_id', '=', subjectId)
        if (before !== undefined) query = query.where('seq', '<', before)
        return query.execute()
      })
      return rows.map(({ seq, at, kind, subject_kind, subject_id, shown_json }) => {
        const { name, ...shown }: Shown = JSON.parse(shown_json)
        return { id: seq, workspaceId, at, kind, subject: { kind: subject_kind, id: subject_id, name }, ...shown }
      })
    },
  }
}
