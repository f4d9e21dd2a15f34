import type { HistoryKind, HistoryRow, HistoryStore } from '@sluice/pipeline'
import {
  boundSeries,
  historyKept,
  hourMs,
  isGauge,
  minuteMs,
  seriesKey,
  slotOf,
  sumSeries,
} from '@sluice/pipeline/store'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { compiledOnce } from '../../compiled-once.ts'
import { inChunks } from '../../in-chunks.ts'
import type { Db, SqlSession } from '../../sql-session.ts'
import type { Tables } from '../../tables.ts'
import { unlessStored } from '../../write-mark.ts'

/** Slots of a length that one call deletes: after a long stop, what is too old goes over some minutes, not in one statement. */
const slotsPerPrune = 10

/** Counts that are not in the table of counters yet. */
export interface WaitingCounts {
  /** Adds them to the counters. */
  readonly addUp: RawBuilder<unknown>
  /** A query of them: source_id, destination_id, kind, reason and amount. */
  of(workspaceId: string): RawBuilder<unknown>
}

export function createSqlHistoryStore({ dialect, read, write }: SqlSession, waiting?: WaitingCounts): HistoryStore {
  return {
    snap: (at) =>
      write({
        apply: async (db) => {
          await waiting?.addUp.execute(db)
          await addRows(db, at, await takeUnmoved(db))
        },
      }),
    add: (at, rows, writeId) =>
      write({ apply: unlessStored(dialect, { writeId, known: undefined }, (db) => addRows(db, at, rows)) }),
    read: async ({ workspaceId, since, until, everyMs, from, kinds }) => {
      const chosen = kinds ? sql`and kind in (${sql.join(kinds)})` : sql``
      // One statement, so that nothing is moved between two.
      const { rows } = await read((db) =>
        sql<ReadRow>`
          select at - at % ${everyMs} as slot, source_id, destination_id, kind, reason,
            sum(amount) as total, max(amount) as highest
          from history
          where workspace_id = ${workspaceId} and every_ms = ${from === 'minutes' ? minuteMs : hourMs}
            and at >= ${since} and at < ${until} ${chosen}
          group by 1, 2, 3, 4, 5
          union all
          select null, source_id, destination_id, kind, reason, total - snapped, 0
          from counter where workspace_id = ${workspaceId} and total <> snapped ${chosen}
          ${waiting ? sql`union all select null, source_id, destination_id, kind, reason, amount, 0 from (${waiting.of(workspaceId)}) as waiting where true ${chosen}` : sql``}
          order by 1`.execute(db),
      )
      const shown = (row: ReadRow): HistoryRow => ({
        workspaceId,
        sourceId: row.source_id,
        destinationId: row.destination_id,
        kind: row.kind,
        reason: row.reason,
        count: isGauge(row.kind) ? row.highest : row.total,
      })
      return {
        slots: rows.flatMap((row) => (row.slot === null ? [] : { ...shown(row), at: row.slot })),
        unmoved: sumSeries(rows.flatMap((row) => (row.slot === null ? shown(row) : []))),
      }
    },
    prune: (now) =>
      write({
        apply: async (db) => {
          for (const { everyMs, keptMs } of historyKept) {
            const { oldest } = await db
              .selectFrom('history')
              .select((eb) => eb.fn.min('at').as('oldest'))
              .where('every_ms', '=', everyMs)
              .executeTakeFirstOrThrow()
            if (oldest === null) continue
            await db
              .deleteFrom('history')
              .where('every_ms', '=', everyMs)
              .where('at', '<', Math.min(now - keptMs, Number(oldest) + slotsPerPrune * everyMs))
              .execute()
          }
        },
      }),
  }
}

interface ReadRow {
  /** Null for what is not in the history yet. */
  readonly slot: number | null
  readonly source_id: string
  readonly destination_id: string
  readonly kind: HistoryKind
  readonly reason: string
  readonly total: number
  readonly highest: number
}

/** Returns what the counters have gained since the last time, and notes that it is moved. */
async function takeUnmoved(db: Db): Promise<readonly HistoryRow[]> {
  const rows = await db
    .selectFrom('counter')
    .selectAll()
    .where((eb) => eb('total', '<>', eb.ref('snapped')))
    .execute()
  for (const row of rows) await noteMoved(db, row)
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    sourceId: row.source_id,
    destinationId: row.destination_id,
    kind: row.kind,
    reason: row.reason,
    count: row.total - row.snapped,
  }))
}

/** What was read, not what is there now: a counter may have grown meanwhile. */
const noteMoved = compiledOnce<CounterValue, unknown>(
  ['workspace_id', 'source_id', 'destination_id', 'kind', 'reason', 'total'],
  (db, row) =>
    db
      .updateTable('counter')
      .set({ snapped: row.total })
      .where('workspace_id', '=', row.workspace_id)
      .where('source_id', '=', row.source_id)
      .where('destination_id', '=', row.destination_id)
      .where('kind', '=', row.kind)
      .where('reason', '=', row.reason),
)

type CounterValue = Omit<Selectable<Tables['counter']>, 'snapped'>

/** Adds rows to their minute and their hour. */
async function addRows(db: Db, at: number, rows: readonly HistoryRow[]): Promise<void> {
  for (const workspaceId of new Set(rows.map((row) => row.workspaceId))) {
    const own = rows.filter((row) => row.workspaceId === workspaceId)
    for (const { everyMs } of historyKept) {
      const slot = { workspace_id: workspaceId, every_ms: everyMs, at: slotOf(at, everyMs) }
      await inChunks(boundSeries(own, await seriesIn(db, slot)), (chunk) => addChunk(db, slot, chunk))
    }
  }
}

interface Slot {
  readonly workspace_id: string
  readonly every_ms: number
  readonly at: number
}

async function seriesIn(db: Db, slot: Slot): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('history')
    .select(['source_id', 'destination_id', 'kind', 'reason'])
    .where('workspace_id', '=', slot.workspace_id)
    .where('every_ms', '=', slot.every_ms)
    .where('at', '=', slot.at)
    .execute()
  return new Set(
    rows.map(({ source_id: sourceId, destination_id: destinationId, kind, reason }) =>
      seriesKey({ sourceId, destinationId, kind, reason }),
    ),
  )
}

async function addChunk(db: Db, slot: Slot, rows: readonly HistoryRow[]): Promise<void> {
  await db
    .insertInto('history')
    .values(
      rows.map((row) => ({
        ...slot,
        source_id: row.sourceId,
        destination_id: row.destinationId,
        kind: row.kind,
        reason: row.reason,
        amount: row.count,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'every_ms', 'at', 'source_id', 'destination_id', 'kind', 'reason'])
        .doUpdateSet({
          amount: sql<number>`case
            when excluded.kind <> 'oldestWaiting' then history.amount + excluded.amount
            when excluded.amount > history.amount then excluded.amount
            else history.amount end`,
        }),
    )
    .execute()
}
