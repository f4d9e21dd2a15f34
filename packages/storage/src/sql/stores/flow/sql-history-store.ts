import type { HistoryKind, HistoryRow, HistoryStore } from '@sluice/pipeline'
import { boundSeries, historyKept, isGauge, seriesKey, slotOf, sumSeries } from '@sluice/pipeline/store'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { compiledForRows } from '../../compiled-once.ts'
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
    read: async ({ workspaceId, since, until, everyMs, fromMs, kinds }) => {
      const chosen = kinds ? sql`and kind in (${sql.join(kinds)})` : sql``
      // Slots of the length that is kept have one row of each series.
      const isKept = everyMs === fromMs
      const slot = isKept ? sql`at as slot` : sql`at - at % ${everyMs} as slot`
      const amounts = isKept
        ? sql`amount as total, amount as highest`
        : sql`sum(amount) as total, max(amount) as highest`
      const together = isKept ? sql`` : sql`group by 1, 2, 3, 4, 5`
      // One statement, so that nothing is moved between two.
      const { rows } = await read((db) =>
        sql<ReadRow>`
          select ${slot}, source_id, destination_id, kind, reason, ${amounts}
          from history
          where workspace_id = ${workspaceId} and every_ms = ${fromMs}
            and at >= ${since} and at < ${until} ${chosen}
          ${together}
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
  await inChunks(rows, (chunk) => noteMoved(db, chunk))
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    sourceId: row.source_id,
    destinationId: row.destination_id,
    kind: row.kind,
    reason: row.reason,
    count: row.total - row.snapped,
  }))
}

type Counter = Selectable<Tables['counter']>

/** Notes what was read as moved, not what is there now: a counter may have grown meanwhile. */
const noteMoved = compiledForRows<Counter, unknown>(
  ['workspace_id', 'source_id', 'destination_id', 'kind', 'reason', 'total'],
  (db, rows) => {
    const moved = rows.map(
      (row) =>
        sql`(${row.workspace_id}, ${row.source_id}, ${row.destination_id}, ${row.kind}, ${row.reason}, cast(${row.total} as bigint))`,
    )
    const statement = sql`
      update counter set snapped = moved.column6 from (values ${sql.join(moved)}) as moved
      where counter.workspace_id = moved.column1 and counter.source_id = moved.column2
        and counter.destination_id = moved.column3 and counter.kind = moved.column4
        and counter.reason = moved.column5`
    return { compile: () => statement.compile(db) }
  },
)

/** A row of one slot. */
interface SlotRow extends HistoryRow {
  readonly everyMs: number
  readonly at: number
}

/** Adds rows to their slots of each length. Those of all slots and workspaces share statements. */
async function addRows(db: Db, at: number, rows: readonly HistoryRow[]): Promise<void> {
  const slots = historyKept.map(({ everyMs }) => ({ everyMs, at: slotOf(at, everyMs) }))
  const bounded: SlotRow[] = []
  for (const workspaceId of new Set(rows.map((row) => row.workspaceId))) {
    const own = rows.filter((row) => row.workspaceId === workspaceId)
    const known = await seriesIn(db, workspaceId, slots)
    for (const slot of slots)
      for (const row of boundSeries(own, known.get(slot.everyMs) ?? new Set())) bounded.push({ ...row, ...slot })
  }
  await inChunks(bounded, (chunk) => addChunk(db, chunk))
}

/** Returns the series that a workspace has in slots, by the length of the slot. */
async function seriesIn(
  db: Db,
  workspaceId: string,
  slots: readonly Pick<SlotRow, 'everyMs' | 'at'>[],
): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  // Joined instead of chosen by "or", for which SQLite reads the whole workspace.
  const ofSlot = ({ everyMs, at }: Pick<SlotRow, 'everyMs' | 'at'>) => sql`
    select every_ms, source_id, destination_id, kind, reason from history
    where workspace_id = ${workspaceId} and every_ms = ${everyMs} and at = ${at}`
  const { rows } = await sql<Omit<ReadRow, 'slot'> & { readonly every_ms: number }>`
    ${sql.join(slots.map(ofSlot), sql` union all `)}`.execute(db)
  const series = new Map<number, Set<string>>(slots.map(({ everyMs }) => [everyMs, new Set()]))
  for (const { every_ms, source_id: sourceId, destination_id: destinationId, kind, reason } of rows)
    series.get(every_ms)?.add(seriesKey({ sourceId, destinationId, kind, reason }))
  return series
}

const addChunk = compiledForRows<SlotRow, unknown>(
  ['workspaceId', 'everyMs', 'at', 'sourceId', 'destinationId', 'kind', 'reason', 'count'],
  (db, rows) =>
    db
      .insertInto('history')
      .values(
        rows.map((row) => ({
          workspace_id: row.workspaceId,
          every_ms: row.everyMs,
          at: row.at,
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
      ),
)
