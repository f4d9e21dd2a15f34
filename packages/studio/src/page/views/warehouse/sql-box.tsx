import { useState } from 'preact/hooks'
import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { useAction } from '../../parts/use-action.ts'

type Row = Readonly<Record<string, unknown>>

interface NumberedRow {
  readonly row: Row
  readonly n: number
}

const first = `select table_schema, table_name from information_schema.tables order by 1, 2`

/** Queries a warehouse that is a DuckDB file. The server lets a query read the file, and nothing else. */
export function SqlBox({ base }: { readonly base: string }) {
  const [sql, setSql] = useState(first)
  const [answer, setAnswer] = useState<{ readonly rows: readonly Row[]; readonly isCut: boolean }>()
  const action = useAction()
  if (!allows('operate') || !allows('write')) return null
  const run = (): void =>
    void action.run(async () => {
      setAnswer(await request(`${base}/query`, { method: 'POST', body: { sql } }))
      return undefined
    })
  const columns = Object.keys(answer?.rows[0] ?? {}).map(
    (name): Column<NumberedRow> => ({ title: name, cell: ({ row }) => cellText(row[name]) }),
  )
  return (
    <section>
      <h2>SQL</h2>
      <label class="field">
        Query, which can only read
        <textarea
          rows={6}
          spellcheck={false}
          value={sql}
          onInput={(event) => setSql(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run()
          }}
        />
      </label>
      <p>
        <button type="button" class="main" disabled={action.isBusy} onClick={run}>
          Run (Ctrl-Enter)
        </button>
      </p>
      <Outcome action={action} />
      {answer ? (
        <DataTable
          caption={answer.isCut ? 'The first 1,000 rows' : `${answer.rows.length} rows`}
          rows={answer.rows.map((row, n) => ({ row, n }))}
          keyOf={({ n }) => String(n)}
          empty="The query has no rows."
          columns={columns}
        />
      ) : null}
    </section>
  )
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
