import { useState } from 'preact/hooks'
import { DataTable } from '../../parts/data-table.tsx'
import { Count } from '../../parts/format/count.tsx'
import { durationText } from '../../parts/format/duration-text.ts'
import { Time } from '../../parts/format/time.tsx'
import { Tabs } from '../../parts/page/tabs.tsx'
import type { Load, LoadedTable } from './warehouse.ts'

interface LoadsPanelProps {
  /** The last attempts, newest first. */
  readonly loads: readonly Load[]
  readonly tables: readonly LoadedTable[]
}

/** The last attempts at loads, and what they put into which tables. */
export function LoadsPanel({ loads, tables }: LoadsPanelProps) {
  const [tab, setTab] = useState<'loads' | 'tables'>('loads')
  return (
    <section class="panel loads" aria-label="Loads">
      <Tabs
        label="Loads"
        kind="inset"
        value={tab}
        onChange={setTab}
        tabs={[
          { id: 'loads', title: 'Last loads', count: String(loads.length), content: () => <Loads loads={loads} /> },
          {
            id: 'tables',
            title: 'Their tables',
            count: String(tables.length),
            content: () => <Tables tables={tables} />,
          },
        ]}
      />
    </section>
  )
}

function Loads({ loads }: Pick<LoadsPanelProps, 'loads'>) {
  return (
    <DataTable
      caption="Last attempts"
      rows={loads}
      keyOf={({ startedAt, loadId }) => `${startedAt} ${loadId}`}
      empty="There was no attempt yet."
      columns={[
        { title: 'When', cell: ({ startedAt }) => <Time at={startedAt} /> },
        { title: 'Events', isNumber: true, cell: ({ events }) => <Count value={events} /> },
        {
          title: 'Took',
          isNumber: true,
          cell: ({ startedAt, endedAt }) => durationText(Date.parse(endedAt) - Date.parse(startedAt)),
        },
        {
          title: 'Result',
          cell: (load) => (load.error ? <span class="in bad">{load.error}</span> : loadedText(load)),
        },
        {
          title: 'New columns',
          cell: ({ tables = [] }) =>
            tables.flatMap(({ table, newColumns }) => newColumns.map(({ name }) => `${table}.${name}`)).join(', '),
        },
      ]}
    />
  )
}

function Tables({ tables }: Pick<LoadsPanelProps, 'tables'>) {
  return (
    <DataTable
      caption="Tables, over the last loads"
      rows={tables}
      keyOf={({ table }) => table}
      empty="Nothing was loaded yet."
      columns={[
        { title: 'Table', cell: ({ table }) => <code>{table}</code> },
        { title: 'Rows', isNumber: true, cell: ({ rows }) => <Count value={rows} /> },
        { title: 'Did not fit', isNumber: true, cell: ({ discards }) => <Count value={discards} /> },
      ]}
    />
  )
}

/** Says that a load succeeded, and what its tables do not show. */
function loadedText({ others, leftOut }: Load): string {
  const parts = [
    ...(others ? [`${others.rows} rows in ${others.tables} further tables`] : []),
    ...(leftOut ? [`${leftOut.rows} events in tracks only: a source made too many new tables`] : []),
  ]
  return ['loaded', ...parts].join('; ')
}
