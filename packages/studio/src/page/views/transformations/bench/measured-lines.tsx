import { DataTable } from '../../../parts/data-table.tsx'
import type { Bench } from './use-bench.ts'

/** Lines that are shown: those with most of the time. */
const linesMax = 10

/** Which lines of the code take time, as they were measured in the page. */
export function MeasuredLines({ bench: { measured } }: { readonly bench: Bench }) {
  if (measured === undefined)
    return <p class="side-note">Not measured since the code changed. It runs for half a second, in this page.</p>
  return (
    <DataTable
      caption={`Lines with most of the time, measured with ${measured.events} events`}
      rows={measured.lines.slice(0, linesMax)}
      keyOf={({ line }) => String(line)}
      empty="No line took time."
      columns={[
        { title: 'Line', cell: ({ line }) => line },
        { title: 'Share', isNumber: true, cell: ({ share }) => `${Math.round(share * 100)} %` },
        { title: 'µs an event', isNumber: true, cell: ({ microsPerEvent }) => microsPerEvent.toFixed(1) },
        { title: 'Code', cell: ({ source }) => <code>{source}</code> },
        { title: 'What it does', cell: ({ text }) => text },
      ]}
    />
  )
}
