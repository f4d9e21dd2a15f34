import { useEffect, useState } from 'preact/hooks'
import { TimeChart } from '../../parts/charts/time/time-chart.tsx'
import type { NumberedEntry } from './entry-buffer.ts'
import { outcomeWords } from './outcome-words.ts'

/** Seconds that are shown. */
const seconds = 90
const drawn = ['delivered', 'dropped', 'deferred', 'failed'] as const

/** What became of events in the last 90 seconds, a bar each second. */
export function LiveStrip({ entries }: { readonly entries: readonly NumberedEntry[] }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const from = (Math.floor(now / 1_000) - seconds + 1) * 1_000
  const counts = new Map(drawn.map((outcome) => [outcome as string, Array.from({ length: seconds }, () => 0)]))
  for (const { at, outcome } of entries) {
    const slot = Math.floor((Date.parse(at) - from) / 1_000)
    // The newest come first.
    if (slot < -5) break
    const slots = counts.get(outcome)
    if (slots && slot >= 0 && slot < seconds) slots[slot] = (slots[slot] ?? 0) + 1
  }
  return (
    <div class="strip">
      <TimeChart
        label="What became of events, a bar each second"
        slots={{ from, everyMs: 1_000, count: seconds }}
        series={drawn.map((outcome) => ({
          name: outcomeWords[outcome]?.word ?? outcome,
          state: outcomeWords[outcome]?.state ?? 'ink',
          kind: 'bars',
          values: counts.get(outcome) ?? [],
        }))}
        isStacked
        size="low"
      />
    </div>
  )
}
