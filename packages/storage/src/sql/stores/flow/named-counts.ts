import type { CountKind, NamedCount, NamedQuery } from '@sluice/pipeline'
import { boundNames, dayOfCount, isAdmission, namedDayKey, namedDays, otherNames } from '@sluice/pipeline/store'
import { compareCodePoints } from '@sluice/schema'
import { sql } from 'kysely'
import { counterKey, sumCounts } from '../../../sum-counts.ts'
import { compiledOnce } from '../../compiled-once.ts'
import { inChunks } from '../../in-chunks.ts'
import type { Db } from '../../sql-session.ts'

/** Rows that are added up at once, so that other writes do not wait long. */
const rowsPerFold = 1_000

/**
 * Adds counts by name in a transaction, as one row for all of them: a row for each would cost more than the rest of a commit.
 * `foldNamedCounts` adds them up. @returns the number of the row.
 */
export async function addNamedCounts(db: Db, counts: readonly NamedCount[]): Promise<number> {
  const { rows } = await insertRow(db, { counts_json: JSON.stringify(counts) })
  return rows[0]?.seq ?? 0
}

const insertRow = compiledOnce<{ readonly counts_json: string }, { readonly seq: number }>(['counts_json'], (db, row) =>
  db.insertInto('named_count_delta').values(row).returning('seq'),
)

/** Adds up rows that `addNamedCounts` wrote, the oldest first. @returns whether there may be more. */
export async function foldNamedCounts(db: Db): Promise<boolean> {
  // In one statement, so that no other process adds up the same rows.
  const rows = await db
    .deleteFrom('named_count_delta')
    .where('seq', 'in', (eb) => eb.selectFrom('named_count_delta').select('seq').orderBy('seq').limit(rowsPerFold))
    .returning('counts_json')
    .execute()
  if (rows.length === 0) return false
  const counts = rows.flatMap(({ counts_json }): readonly NamedCount[] => JSON.parse(counts_json))
  const known = new Map<string, ReadonlySet<string>>()
  for (const [key, day] of new Map(counts.map(dayOfCount).map((day) => [namedDayKey(day), day])))
    known.set(key, await namesOf(db, day))
  // In the same order everywhere, so that processes never wait for each other in a circle.
  const sums = sumCounts(boundNames(sumCounts(counts), known)).toSorted((a, b) =>
    counterKey(a) < counterKey(b) ? -1 : 1,
  )
  await inChunks(sums, (chunk) => addRows(db, chunk))
  return rows.length === rowsPerFold
}

/** Deletes the counts of days that are too old. @param now milliseconds since the epoch. */
export async function pruneNamedCounts(db: Db, now: number): Promise<void> {
  await db.deleteFrom('named_count').where('day', '<', namedDays(now).first).execute()
}

/** Returns the counts of a source and day, in order of name, destination, kind and reason. */
export async function readNamedCounts(db: Db, query: NamedQuery): Promise<readonly NamedCount[]> {
  const { workspaceId, sourceId, day } = query
  // One statement, so that nothing is added up between two.
  const { rows } = await sql<ReadRow>`
    select name, destination_id, kind, reason, total, null as counts_json from named_count
      where workspace_id = ${workspaceId} and source_id = ${sourceId} and day = ${day}
    union all
    select null, null, null, null, null, counts_json from named_count_delta`.execute(db)
  const stored: NamedCount[] = []
  const waiting: NamedCount[] = []
  for (const row of rows) {
    if (row.counts_json === null) stored.push(countOf(row, query))
    else waiting.push(...(JSON.parse(row.counts_json) as readonly NamedCount[]).filter((each) => isOf(each, query)))
  }
  const known = new Map([[namedDayKey(query), admittedIn(stored)]])
  return sumCounts([...stored, ...boundNames(sumCounts(waiting), known)]).toSorted(inOrder)
}

interface ReadRow {
  readonly name: string
  readonly destination_id: string
  readonly kind: CountKind
  readonly reason: string
  readonly total: number
  /** Set for a row that is not added up yet, of any source and day. */
  readonly counts_json: string | null
}

function countOf(row: ReadRow, { workspaceId, sourceId, day }: NamedQuery): NamedCount {
  const { name, destination_id: destinationId, kind, reason, total: count } = row
  return { workspaceId, sourceId, destinationId, kind, reason, count, named: { day, name } }
}

function isOf({ workspaceId, sourceId, named }: NamedCount, query: NamedQuery): boolean {
  return workspaceId === query.workspaceId && sourceId === query.sourceId && named.day === query.day
}

function admittedIn(counts: readonly NamedCount[]): ReadonlySet<string> {
  return new Set(counts.filter(isAdmission).flatMap(({ named }) => (named.name === otherNames ? [] : named.name)))
}

async function namesOf(db: Db, { workspaceId, sourceId, day }: NamedQuery): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('named_count')
    .select('name')
    .where('workspace_id', '=', workspaceId)
    .where('source_id', '=', sourceId)
    .where('day', '=', day)
    .where('destination_id', '=', '')
    .where('kind', '=', 'accepted')
    .where('name', '<>', otherNames)
    .execute()
  return new Set(rows.map(({ name }) => name))
}

async function addRows(db: Db, counts: readonly NamedCount[]): Promise<void> {
  await db
    .insertInto('named_count')
    .values(
      counts.map(({ workspaceId, sourceId, destinationId, kind, reason, count, named }) => ({
        workspace_id: workspaceId,
        source_id: sourceId,
        day: named.day,
        destination_id: destinationId,
        kind,
        name: named.name,
        reason,
        total: count,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'source_id', 'day', 'destination_id', 'kind', 'name', 'reason'])
        .doUpdateSet((eb) => ({ total: eb('named_count.total', '+', eb.ref('excluded.total')) })),
    )
    .execute()
}

function inOrder(a: NamedCount, b: NamedCount): number {
  return (
    compareCodePoints(a.named.name, b.named.name) ||
    compareCodePoints(a.destinationId, b.destinationId) ||
    compareCodePoints(a.kind, b.kind) ||
    compareCodePoints(a.reason, b.reason)
  )
}
