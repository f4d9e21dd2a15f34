import { useState } from 'preact/hooks'
import { usePolled } from '../../../api/polled.ts'
import { SearchField } from '../../../parts/fields/search-field.tsx'
import { countText } from '../../../parts/format/count.tsx'
import { shortCount } from '../../../parts/format/short-count.ts'
import { Notice } from '../../../parts/notice.tsx'
import { Skeleton } from '../../../parts/page/skeleton.tsx'
import { Icon } from '../../../parts/signs/icon.tsx'
import { Tag } from '../../../parts/signs/tag.tsx'
import type { Misfit } from '../warehouse.ts'
import { cellText, runQuery } from './query-answer.ts'
import { literal, shownName } from './sql-names.ts'
import { type Table, useRowCounts } from './use-row-counts.ts'

interface TableTreeProps {
  readonly base: string
  readonly misfits: readonly Misfit[]
  readonly syncs: number
  /** Called with a query of a table. */
  readonly onChoose: (sql: string) => void
}

/** Tables that are shown; one writes a name to find others. */
const shownMax = 200

const allTables = 'select table_schema, table_name from information_schema.tables order by 1, 2'

/** The tables of the file; opened, a table shows its columns. */
export function TableTree({ base, misfits, syncs, onChoose }: TableTreeProps) {
  const [text, setText] = useState('')
  const { state, refresh } = usePolled(`${base} ${syncs}`, (signal) => runQuery(base, allTables, signal), 0)
  const { value, error } = state.value
  const tables = (value?.rows ?? []).map(
    (row): Table => ({ schema: cellText(row['table_schema']), name: cellText(row['table_name']) }),
  )
  const counts = useRowCounts({ base, tables, syncs })
  const found = tables.filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()))
  return (
    <nav class="panel" aria-label="Tables">
      <div class="models-ask">
        <SearchField label="Table" value={text} onInput={setText} />
      </div>
      {error ? (
        <div class="panel-body stack">
          <Notice kind="bad">{error.message}</Notice>
          <button type="button" onClick={() => void refresh()}>
            Read the tables again
          </button>
        </div>
      ) : null}
      {value === undefined && error === undefined ? <Skeleton lines={4} /> : null}
      <ul class="schema">
        {found.slice(0, shownMax).map((table) => (
          <TableEntry
            key={`${table.schema}.${table.name}`}
            base={base}
            table={table}
            misfits={misfits.filter((misfit) => misfit.table === table.name)}
            rows={counts.get(`${table.schema}.${table.name}`)}
            onChoose={onChoose}
          />
        ))}
      </ul>
      <footer class="panel-foot">
        <span>
          {Math.min(shownMax, found.length)} of {tables.length} tables
        </span>
      </footer>
    </nav>
  )
}

interface TableEntryProps extends Omit<TableTreeProps, 'syncs'> {
  readonly table: Table
  /** Undefined until they are counted, and of a table that is not counted. */
  readonly rows: number | undefined
}

function TableEntry({ base, table, misfits, rows, onChoose }: TableEntryProps) {
  const [isOpen, setOpen] = useState(false)
  const values = misfits.reduce((sum, each) => sum + (each.values ?? 0), 0)
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <Icon name="table" />
          <span>{table.name}</span>
          {rows === undefined ? null : (
            <small class="num" title={`${countText(rows)} rows`}>
              {shortCount(rows)}
              <span class="unseen"> rows</span>
            </small>
          )}
          {values > 0 ? <Tag state="bad">{values} did not fit</Tag> : null}
        </summary>
        {isOpen ? (
          <>
            <Columns base={base} table={table} misfits={misfits} />
            <button
              type="button"
              class="small"
              onClick={() => onChoose(`select *\nfrom ${shownName(table.schema)}.${shownName(table.name)}\nlimit 100`)}
            >
              Show 100 rows
            </button>
          </>
        ) : null}
      </details>
    </li>
  )
}

function Columns({ base, table, misfits }: Omit<TableEntryProps, 'onChoose' | 'rows'>) {
  const sql = `select column_name, data_type from information_schema.columns where table_schema = ${literal(table.schema)} and table_name = ${literal(table.name)} order by ordinal_position`
  const { value, error } = usePolled(sql, (signal) => runQuery(base, sql, signal), 0).state.value
  if (error) return <Notice kind="bad">{error.message}</Notice>
  if (value === undefined) return <Skeleton lines={2} />
  return (
    <ul class="cols">
      {value.rows.map((row) => {
        const name = cellText(row['column_name'])
        return (
          <li key={name}>
            <code>{name}</code>
            {misfits.some(({ column }) => column === name) ? <Tag state="bad">did not fit</Tag> : null}
            <small>{cellText(row['data_type']).toLowerCase()}</small>
          </li>
        )
      })}
    </ul>
  )
}
