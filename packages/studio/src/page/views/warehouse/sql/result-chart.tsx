import { useState } from 'preact/hooks'
import { Meter } from '../../../parts/charts/meter.tsx'
import { EmptyState } from '../../../parts/page/empty-state.tsx'
import { cellText, numberColumns, type Row, toNumber } from './query-answer.ts'

/** Bars that are drawn; more say nothing at one look. */
const barsMax = 100

/** A result as bars: one column of numbers, named by the first column that has none. */
export function ResultChart({ rows }: { readonly rows: readonly Row[] }) {
  const numbers = numberColumns(rows)
  const [wanted, setWanted] = useState('')
  const chosen = numbers.includes(wanted) ? wanted : numbers[0]
  if (chosen === undefined)
    return (
      <EmptyState icon="chart-line" title="Nothing to draw">
        A chart needs a column of numbers, such as a count.
      </EmptyState>
    )
  const label = Object.keys(rows[0] ?? {}).find((name) => !numbers.includes(name)) ?? ''
  const shown = rows.slice(0, barsMax)
  const most = shown.reduce((max, row) => Math.max(max, Math.abs(toNumber(row[chosen]) ?? 0)), 0)
  return (
    <div class="panel-body stack drawn">
      <label>
        Length of bars
        <select value={chosen} onChange={(event) => setWanted(event.currentTarget.value)}>
          {numbers.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <ul class="bars-list">
        {shown.map((row, n) => {
          const value = toNumber(row[chosen]) ?? 0
          return (
            <li key={n}>
              <span>{label === '' ? `row ${n + 1}` : cellText(row[label])}</span>
              <b>{cellText(row[chosen])}</b>
              <Meter share={most === 0 ? 0 : Math.abs(value) / most} state={value < 0 ? 'bad' : 'good'} />
            </li>
          )
        })}
      </ul>
      {rows.length > barsMax ? <p class="help">The first {barsMax} rows are drawn.</p> : null}
    </div>
  )
}
