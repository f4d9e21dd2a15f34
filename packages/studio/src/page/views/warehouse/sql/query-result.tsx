import { useState } from 'preact/hooks'
import { type Column, DataTable } from '../../../parts/data-table.tsx'
import { countText } from '../../../parts/format/count.tsx'
import { durationText } from '../../../parts/format/duration-text.ts'
import { EmptyState } from '../../../parts/page/empty-state.tsx'
import { Tabs } from '../../../parts/page/tabs.tsx'
import { showToast } from '../../../parts/page/toasts.tsx'
import { saveFile } from '../../../parts/save-file.ts'
import { Icon } from '../../../parts/signs/icon.tsx'
import { cellText, csvOf, numberColumns, type QueryAnswer, type Row } from './query-answer.ts'
import { ResultChart } from './result-chart.tsx'

interface NumberedRow {
  readonly row: Row
  readonly n: number
}

/** The rows that a query answered, as a table or a chart. */
export function QueryResult({ answer: { rows, isCut, columns, tookMs } }: { readonly answer: QueryAnswer }) {
  const [tab, setTab] = useState<'rows' | 'chart'>('rows')
  const copy = (): void => {
    navigator.clipboard.writeText(csvOf(rows)).then(
      () => showToast(`${countText(rows.length)} rows are copied, as CSV.`),
      () => showToast('The browser does not let this page copy. Save the file in place of it.', 'bad'),
    )
  }
  return (
    <section class="panel result" aria-label="Result">
      <Tabs
        label="Show the result as"
        kind="inset"
        value={tab}
        onChange={setTab}
        tabs={[
          {
            id: 'rows',
            title: 'Rows',
            count: `${countText(rows.length)}${isCut ? '+' : ''}`,
            content: () => <Rows rows={rows} types={columns} isCut={isCut} />,
          },
          { id: 'chart', title: 'Chart', content: () => <ResultChart rows={rows} /> },
        ]}
        actions={
          <span class="row">
            <small>
              {durationText(tookMs)}
              {isCut ? ', the first 1,000 rows' : ''}
            </small>
            <button
              type="button"
              class="ghost small"
              disabled={rows.length === 0}
              onClick={() => saveFile(csvOf(rows), 'result.csv', 'text/csv')}
            >
              <Icon name="download" />
              CSV
            </button>
            <button type="button" class="ghost small" disabled={rows.length === 0} onClick={copy}>
              <Icon name="copy" />
              Copy
            </button>
          </span>
        }
      />
    </section>
  )
}

function Rows({
  rows,
  types,
  isCut,
}: {
  readonly rows: readonly Row[]
  readonly types: QueryAnswer['columns']
  readonly isCut: boolean
}) {
  if (rows.length === 0)
    return (
      <EmptyState icon="table" title="No rows">
        The query worked, and no row matches it.
      </EmptyState>
    )
  const numbers = numberColumns(rows)
  const columns = types.map(
    ({ name, type }): Column<NumberedRow> => ({
      title: name,
      note: type.toLowerCase(),
      isNumber: numbers.includes(name),
      cell: ({ row }) => cellText(row[name]),
    }),
  )
  return (
    <DataTable
      caption={isCut ? 'The first 1,000 rows' : `${rows.length} rows`}
      rows={rows.map((row, n) => ({ row, n }))}
      keyOf={({ n }) => String(n)}
      empty="The query has no rows."
      columns={columns}
    />
  )
}
