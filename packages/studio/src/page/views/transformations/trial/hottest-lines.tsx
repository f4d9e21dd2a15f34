import type { LineProfile } from '@sluice/testing/profile'
import { useState } from 'preact/hooks'
import { DataTable } from '../../../parts/data-table.tsx'
import { Count } from '../../../parts/format/count.tsx'
import { Outcome } from '../../../parts/outcome.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { measureInPage } from './try-in-page.ts'

/** Lines that are shown: those with most of the time. */
const linesMax = 10

interface HottestLinesProps {
  readonly name: string
  readonly code: string
  /** Events as JSON text. */
  readonly events: string
}

/** Which lines of the code take time, measured on demand. */
export function HottestLines({ name, code, events }: HottestLinesProps) {
  const [lines, setLines] = useState<readonly LineProfile[]>()
  const action = useAction()
  const measure = (): void =>
    void action.run(async () => {
      const { lines, events: count, failed } = await measureInPage(name, code, JSON.parse(events))
      setLines(lines.slice(0, linesMax))
      return `Measured with ${count} events${failed > 0 ? `; ${failed} failed` : ''}.`
    })
  return (
    <section>
      <h3>Hottest lines</h3>
      <button type="button" disabled={action.isBusy} onClick={measure}>
        Measure lines
      </button>
      <Outcome action={action} />
      {lines === undefined ? null : (
        <DataTable
          caption="Lines with most of the time, in this page"
          rows={lines}
          keyOf={({ file, line }) => `${file} ${line}`}
          empty="No line took time."
          columns={[
            { title: 'line', cell: ({ file, line }) => (file === name ? String(line) : `${file} ${line}`) },
            { title: 'share', isNumber: true, cell: ({ share }) => `${Math.round(share * 100)} %` },
            { title: 'µs per event', isNumber: true, cell: ({ msPerEvent }) => (msPerEvent * 1_000).toFixed(1) },
            { title: 'times', isNumber: true, cell: ({ hits }) => <Count value={hits} /> },
            { title: 'code', cell: ({ source }) => <code>{source}</code> },
            { title: 'with', cell: ({ hints }) => hints.join(', ') },
          ]}
        />
      )}
    </section>
  )
}
