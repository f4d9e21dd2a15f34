import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Count } from '../../parts/format/count.tsx'
import { Time } from '../../parts/format/time.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { useAction } from '../../parts/use-action.ts'
import { addressOf } from '../../shell/router.ts'
import { SqlBox } from './sql-box.tsx'
import type { Conflict, Load, LoadedTable } from './warehouse.ts'

/** One warehouse: what was loaded into which tables, what did not fit, and what will not. */
export function OneWarehouse({ id }: { readonly id: string }) {
  const base = `/v2/warehouses/${encodeURIComponent(id)}`
  const { state, refresh } = usePolled(
    base,
    (signal) => request<{ readonly data: readonly Load[] }>(`${base}/loads`, { signal }),
    5_000,
  )
  const conflicts = usePolled(
    `${base} conflicts`,
    (signal) => request<{ readonly data: readonly Conflict[] }>(`${base}/conflicts`, { signal, waitMs: 60_000 }),
    0,
  ).state.value
  const isFile = usePolled(
    `type of ${id}`,
    async (signal) => {
      const { destination } = await request<{ readonly destination: { readonly type: string } }>(
        `/v2/destinations/${encodeURIComponent(id)}`,
        { signal },
      )
      return destination.type === 'DUCKDB'
    },
    0,
  ).state.value.value
  const action = useAction()
  const { value, error } = state.value
  const sync = (): void =>
    void action.run(async () => {
      await request(`${base}/sync`, { method: 'POST', waitMs: 60_000 })
      await refresh()
      return 'Everything that was accepted so far is loaded.'
    })
  const loads = value?.data ?? []
  return (
    <>
      <p class="row">
        <a href={addressOf('/warehouse')}>All warehouses</a>
        {allows('operate') ? (
          <button type="button" disabled={action.isBusy} onClick={sync}>
            Load now
          </button>
        ) : null}
      </p>
      <Outcome action={action} />
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      <DataTable
        caption="Tables, over the last loads"
        rows={tablesOf(loads)}
        keyOf={({ table }) => table}
        empty="Nothing was loaded yet."
        columns={[
          { title: 'table', cell: ({ table }) => table },
          { title: 'rows', isNumber: true, cell: ({ rows }) => <Count value={rows} /> },
          { title: 'values that did not fit', isNumber: true, cell: ({ discards }) => <Count value={discards} /> },
          {
            title: 'why',
            cell: ({ reasons }) => reasons.map(({ column, reason }) => `${column}: ${reason}`).join('; '),
          },
        ]}
      />
      <DataTable
        caption="Last attempts"
        rows={loads}
        keyOf={({ startedAt, loadId }) => `${startedAt} ${loadId}`}
        empty="There was no attempt yet."
        columns={[
          { title: 'when', cell: ({ startedAt }) => <Time at={startedAt} /> },
          { title: 'events', isNumber: true, cell: ({ events }) => <Count value={events} /> },
          {
            title: 'took',
            isNumber: true,
            cell: ({ startedAt, endedAt }) => `${Date.parse(endedAt) - Date.parse(startedAt)} ms`,
          },
          {
            title: 'new columns',
            cell: ({ tables = [] }) =>
              tables.flatMap(({ table, newColumns }) => newColumns.map(({ name }) => `${table}.${name}`)).join(', '),
          },
          {
            title: 'result',
            cell: (load) => (load.error ? <span class="in bad">{load.error}</span> : loadedText(load)),
          },
        ]}
      />
      {conflicts.error ? <Notice kind="bad">{conflicts.error.message}</Notice> : null}
      {conflicts.value ? (
        <DataTable
          caption="Columns that do not fit values of events that were seen"
          rows={conflicts.value.data}
          keyOf={({ table, column, reason }) => `${table} ${column} ${reason}`}
          empty="All values that were seen fit their columns."
          columns={[
            { title: 'table', cell: ({ table }) => table },
            { title: 'column', cell: ({ column }) => column },
            { title: 'why', cell: ({ reason }) => reason },
          ]}
        />
      ) : null}
      {isFile ? <SqlBox base={base} /> : null}
    </>
  )
}

/** Says that a load succeeded, and what the tables of the page do not show. */
function loadedText({ others, leftOut }: Load): string {
  const parts = [
    ...(others ? [`${others.rows} rows in ${others.tables} further tables`] : []),
    ...(leftOut ? [`${leftOut.rows} events in tracks only: a source made too many new tables`] : []),
  ]
  return ['loaded', ...parts].join('; ')
}

/** Sums the tables of loads, by name. */
function tablesOf(loads: readonly Load[]): readonly LoadedTable[] {
  const byName = new Map<string, LoadedTable>()
  for (const each of loads.flatMap(({ tables = [] }) => tables)) {
    const before = byName.get(each.table)
    byName.set(each.table, {
      ...each,
      rows: each.rows + (before?.rows ?? 0),
      discards: each.discards + (before?.discards ?? 0),
      reasons: [...(before?.reasons ?? []), ...each.reasons].filter(
        ({ column, reason }, place, all) =>
          all.findIndex((other) => other.column === column && other.reason === reason) === place,
      ),
    })
  }
  return [...byName.values()].sort((a, b) => (a.table < b.table ? -1 : 1))
}
