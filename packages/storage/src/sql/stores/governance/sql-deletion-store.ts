import type { Clock } from '@sluice/core'
import {
  type DeletionJob,
  type DeletionLimit,
  type DeletionStore,
  type DeletionTarget,
  type DeletionUpdate,
  deletionWaitMsMax,
  isDeletionOver,
  needsIds,
  type Regulation,
} from '@sluice/regulation'
import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import { inChunks } from '../../in-chunks.ts'
import type { Db, SqlSession } from '../../sql-session.ts'
import type { Tables } from '../../tables.ts'

/** Jobs in one transaction: about 2 ms, for which the writes of other workspaces wait. */
const jobsPerWrite = 50
const waiting = ['pending', 'failed'] as const
const notBegun = [...waiting, 'waiting'] as const
const cancelled = { status: 'aborted', reason: 'cancelled' } as const

export function createSqlDeletionStore({ read, write }: SqlSession, clock: Pick<Clock, 'now'>): DeletionStore {
  return {
    ofRegulation: async (workspaceId, regulationId) => {
      const rows = await read((db) =>
        db
          .selectFrom('deletion_job')
          .selectAll()
          .where('workspace_id', '=', workspaceId)
          .where('regulation_id', '=', regulationId)
          .orderBy('destination_id')
          .execute(),
      )
      return rows.map(jobOf)
    },
    ordered: async (workspaceId, regulationIds) => {
      const ordered = new Set<string>()
      await inChunks(regulationIds, async (chunk) => {
        const rows = await read((db) =>
          db
            .selectFrom('deletion_job')
            .select('regulation_id')
            .distinct()
            .where('workspace_id', '=', workspaceId)
            .where('regulation_id', 'in', chunk)
            .execute(),
        )
        for (const row of rows) ordered.add(row.regulation_id)
      })
      return ordered
    },
    hold: async (workspaceId, regulationIds, reason) => {
      await write({
        apply: (db) =>
          inChunks(regulationIds, (chunk) =>
            db
              .updateTable('deletion_job')
              .set({ status: 'waiting', reason, updated_at: clock.now() })
              .where('workspace_id', '=', workspaceId)
              .where('regulation_id', 'in', chunk)
              .where('status', '=', 'aborted')
              .where('attempts', '=', 0)
              .where((where) => where.not(isCancelled(where)))
              .execute(),
          ),
      })
    },
    countHeld: () =>
      read(async (db) => {
        const { forKey, forIds } = await db
          .selectFrom('deletion_job')
          .select(({ fn }) => [
            fn.countAll<number>().filterWhere('status', '=', 'waiting').as('forKey'),
            fn.countAll<number>().filterWhere('status', '=', 'aborted').as('forIds'),
          ])
          .where(({ eb, or, and, not }) =>
            or([
              eb('status', '=', 'waiting'),
              and([eb('status', '=', 'aborted'), eb('reason', '=', needsIds), not(isCancelled(eb))]),
            ]),
          )
          .executeTakeFirstOrThrow()
        return { forKey, forIds }
      }),
    due: (now) =>
      read(async (db) => {
        const due: DeletionTarget[] = []
        for (let target = await targetAfter(db, undefined); target; target = await targetAfter(db, target))
          if ((await dueJobs(db, target, now, 1)).length > 0) due.push(target)
        return due
      }),
    nextDueAt: async (now) => {
      const row = await read((db) =>
        db
          .selectFrom('deletion_job')
          .select(({ fn }) => fn.min<number | null>('due_at').as('next'))
          .where('status', 'in', waiting)
          .where('due_at', '>', now)
          .executeTakeFirstOrThrow(),
      )
      return row.next ?? undefined
    },
    begin: async (target, now, limit) => {
      const begun: DeletionJob[] = []
      while (begun.length < limit) {
        const limitNow = Math.min(limit - begun.length, jobsPerWrite)
        const more = await write({
          owner: target.workspaceId,
          apply: (db) => beginJobs(db, target, now, limitNow),
        }).catch((error) => {
          // What has begun is to be done: only `resume` would find it again.
          if (begun.length === 0) throw error
          return []
        })
        begun.push(...more)
        if (more.length < limitNow) break
      }
      return begun
    },
    mark: async (workspaceId, ids, mark) => {
      await write({
        owner: workspaceId,
        apply: (db) =>
          inChunks(ids, (chunk) =>
            db
              .updateTable('deletion_job')
              .set({ mark })
              .where('workspace_id', '=', workspaceId)
              .where('id', 'in', chunk)
              .where('status', '=', 'running')
              .execute(),
          ),
      })
    },
    end: async (workspaceId, updates) => {
      for (let start = 0; start < updates.length; start += jobsPerWrite) {
        const some = updates.slice(start, start + jobsPerWrite)
        await write({ owner: workspaceId, apply: (db) => endJobs(db, workspaceId, some) })
      }
    },
    complete: async (workspaceId, regulationId, destinationId, reason) => {
      const updated = await write({
        owner: workspaceId,
        apply: (db) =>
          db
            .updateTable('deletion_job')
            .set({ status: 'complete', reason: reason.toWellFormed(), updated_at: clock.now() })
            .where('workspace_id', '=', workspaceId)
            .where('regulation_id', '=', regulationId)
            .where('destination_id', '=', destinationId)
            .where('status', '=', 'aborted')
            .where((where) => where.not(isCancelled(where)))
            .returning('id')
            .execute(),
      })
      return updated.length > 0
    },
    bringForward: async (workspaceId, regulationId, destinationId, now) => {
      const updated = await write({
        owner: workspaceId,
        apply: (db) =>
          db
            .updateTable('deletion_job')
            .set({ due_at: now })
            .where('workspace_id', '=', workspaceId)
            .where('regulation_id', '=', regulationId)
            .where('destination_id', '=', destinationId)
            .where('status', '=', 'failed')
            .where((where) => where.not(isCancelled(where)))
            .returning('id')
            .execute(),
      })
      return updated.length > 0
    },
    resume: () =>
      write({
        apply: async (db) => {
          const rows = await db
            .updateTable('deletion_job')
            .set({ status: 'pending' })
            .where('status', '=', 'running')
            .returning('id')
            .execute()
          await abortCancelled(
            db,
            rows.map(({ id }) => id),
          )
          return rows.length
        },
      }),
  }
}

/** Returns the next destination that has, or had, jobs, in the order of their index: there are few, and may be many jobs. */
async function targetAfter(db: Db, after: DeletionTarget | undefined): Promise<DeletionTarget | undefined> {
  const targets = db.selectFrom('deletion_job').select(['workspace_id', 'destination_id'])
  const first = (from: typeof targets) =>
    from.orderBy('workspace_id').orderBy('destination_id').limit(1).executeTakeFirst()
  const row =
    after === undefined
      ? await first(targets)
      : ((await first(
          targets.where('workspace_id', '=', after.workspaceId).where('destination_id', '>', after.destinationId),
        )) ?? (await first(targets.where('workspace_id', '>', after.workspaceId))))
  return row && { workspaceId: row.workspace_id, destinationId: row.destination_id }
}

/** Returns the oldest due jobs of a destination. Each status is read by itself, in the order of the index. */
async function dueJobs(
  db: Db,
  { workspaceId, destinationId }: DeletionTarget,
  now: number,
  limit: number,
): Promise<readonly Selectable<Tables['deletion_job']>[]> {
  const found: Selectable<Tables['deletion_job']>[] = []
  for (const status of waiting)
    found.push(
      ...(await db
        .selectFrom('deletion_job')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('destination_id', '=', destinationId)
        .where('status', '=', status)
        .where(isDue(now))
        .orderBy('seq')
        .limit(limit)
        .execute()),
    )
  return found.sort((a, b) => a.seq - b.seq).slice(0, limit)
}

/** Begins the oldest due jobs of a destination, in a transaction. */
async function beginJobs(db: Db, target: DeletionTarget, now: number, limit: number): Promise<readonly DeletionJob[]> {
  const rows = await dueJobs(db, target, now, limit)
  if (rows.length > 0)
    await db
      .updateTable('deletion_job')
      .set({ status: 'running', updated_at: now })
      .where(
        'seq',
        'in',
        rows.map(({ seq }) => seq),
      )
      .execute()
  return rows.map((row): DeletionJob => ({ ...jobOf(row), status: 'running', updatedAt: now }))
}

/** Stores what became of running jobs, in a transaction. */
async function endJobs(db: Db, workspaceId: string, updates: readonly DeletionUpdate[]): Promise<void> {
  for (const { id, status, attempts, dueAt, updatedAt, reason } of updates)
    await db
      .updateTable('deletion_job')
      .set({ status, attempts, due_at: dueAt, updated_at: updatedAt, reason: reason ?? null })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('status', '=', 'running')
      .execute()
  await abortCancelled(
    db,
    updates.flatMap(({ id, status }) => (isDeletionOver({ status }) ? [] : id)),
  )
}

/** The condition of `isDeletionDue`. */
function isDue(now: number) {
  return ({ eb, or }: ExpressionBuilder<Tables, 'deletion_job'>) =>
    or([eb('due_at', '<=', now), eb('due_at', '>', now + deletionWaitMsMax)])
}

/** Returns how many jobs count towards a limit, in a transaction. */
export async function countJobs(db: Db, { workspaceId, fromId }: DeletionLimit): Promise<number> {
  const { count } = await db
    .selectFrom('deletion_job')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('id', '>=', fromId)
    .executeTakeFirstOrThrow()
  return count
}

/** Adds jobs in a transaction. */
export async function addJobs(db: Db, jobs: readonly DeletionJob[]): Promise<void> {
  await inChunks(jobs, (chunk) =>
    db
      .insertInto('deletion_job')
      .values(chunk.map(rowOf))
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute(),
  )
}

/** Aborts the jobs of a regulation that have neither started nor ended, in a transaction. */
export async function cancelJobs(db: Db, workspaceId: string, regulationId: string, now: number): Promise<void> {
  await db
    .updateTable('deletion_job')
    .set({ ...cancelled, updated_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('regulation_id', '=', regulationId)
    .where('status', 'in', notBegun)
    .execute()
}

/** Has the jobs of a regulation begin that waited for ids, or were aborted for want of them, in a transaction. */
export async function identifyJobs(
  db: Db,
  { workspaceId, id, attributes }: Pick<Regulation, 'workspaceId' | 'id' | 'attributes'>,
  now: number,
): Promise<void> {
  const due = { status: 'pending', reason: null, attempts: 0, due_at: Math.ceil(now), updated_at: now } as const
  await db
    .updateTable('deletion_job')
    .set({ ...due, attributes_json: JSON.stringify(attributes) })
    .where('workspace_id', '=', workspaceId)
    .where('regulation_id', '=', id)
    .where('status', 'in', ['waiting', 'aborted'])
    .execute()
}

/** Whether the regulation of a job was cancelled. */
function isCancelled({ exists, selectFrom }: ExpressionBuilder<Tables, 'deletion_job'>) {
  return exists(
    selectFrom('regulation')
      .select('regulation.id')
      .whereRef('regulation.workspace_id', '=', 'deletion_job.workspace_id')
      .whereRef('regulation.id', '=', 'deletion_job.regulation_id')
      .where('regulation.canceled', '=', 1),
  )
}

/** Aborts jobs that were running when their regulation was cancelled. */
async function abortCancelled(db: Db, ids: readonly string[]): Promise<void> {
  await inChunks(ids, (chunk) =>
    db
      .updateTable('deletion_job')
      .set(cancelled)
      .where('id', 'in', chunk)
      // Not the bare column: SQLite, which has no statistics, would read all jobs in these states instead of these ids.
      .where(({ fn }) => fn.coalesce('status', sql.lit('')), 'in', waiting)
      .where(isCancelled)
      .execute(),
  )
}

function rowOf(job: DeletionJob) {
  return {
    id: job.id,
    workspace_id: job.workspaceId,
    regulation_id: job.regulationId,
    destination_id: job.destinationId,
    attributes_json: JSON.stringify(job.attributes),
    status: job.status,
    reason: job.reason ?? null,
    attempts: job.attempts,
    mark: job.mark ?? null,
    due_at: Math.ceil(job.dueAt),
    updated_at: job.updatedAt,
  }
}

function jobOf(row: Selectable<Tables['deletion_job']>): DeletionJob {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    regulationId: row.regulation_id,
    destinationId: row.destination_id,
    attributes: JSON.parse(row.attributes_json),
    status: row.status,
    reason: row.reason ?? undefined,
    attempts: row.attempts,
    mark: row.mark ?? undefined,
    dueAt: row.due_at,
    updatedAt: row.updated_at,
  }
}
