import { TimeChart } from '../../../parts/charts/time/time-chart.tsx'
import { durationText } from '../../../parts/format/duration-text.ts'
import { Panel } from '../../../parts/page/panel.tsx'
import { Legend } from '../../../parts/signs/legend.tsx'
import { destinationNumbers } from './destination-numbers.ts'
import type { History } from './history.ts'
import { useChangeFlags } from './use-change-flags.ts'

interface ChartProps {
  readonly history: History
  readonly id: string
}

/** What was delivered and failed, with flags for what was changed. */
export function Delivered({
  history,
  id,
  transformationId,
}: ChartProps & { readonly transformationId: string | undefined }) {
  const flags = useChangeFlags(history.slots.from, [id, ...(transformationId === undefined ? [] : [transformationId])])
  const series = (kind: string) => history.series.filter((each) => each.destinationId === id && each.kind === kind)
  const failed = Array.from({ length: history.slots.count }, (_, slot) =>
    series('failed').reduce((sum, { counts }) => sum + (counts[slot] ?? 0), 0),
  )
  return (
    <Panel title="Delivered and failed" note={`Events in ${durationText(history.slots.everyMs)}`}>
      <TimeChart
        label="Delivered and failed events of this destination"
        slots={history.slots}
        series={[
          {
            name: 'delivered',
            state: 'good',
            kind: 'area',
            values: destinationNumbers(history, id).deliveredBySlot,
          },
          { name: 'failed', state: 'bad', kind: 'bars', values: failed },
        ]}
        flags={flags}
        size="mid"
      />
    </Panel>
  )
}

/** How long the oldest event waited. */
export function Oldest({ history, id }: ChartProps) {
  const ages = history.oldestWaiting.find(({ destinationId }) => destinationId === id)?.agesMs
  const highest = ages?.reduce((most, age) => Math.max(most, age), 0) ?? 0
  return (
    <Panel title="Oldest waiting event" note="How long it had waited at the end of each minute">
      {ages === undefined || highest === 0 ? (
        <p class="soft">No event waited longer than a moment.</p>
      ) : (
        <TimeChart
          label="Age of the oldest waiting event"
          slots={history.slots}
          series={[{ name: 'oldest', state: 'wait', kind: 'area', values: ages }]}
          format={durationText}
          size="mid"
        />
      )}
    </Panel>
  )
}

/** Within which time it answered. */
export function Delays({ history, id }: ChartProps) {
  const delays = history.delays.filter(({ destinationId }) => destinationId === id)
  const shown = delays.find((each) => each.of === 'answer') ?? delays[0]
  if (shown === undefined)
    return (
      <Panel title="Time to answer">
        <p class="soft">It answered nothing in this time.</p>
      </Panel>
    )
  const text = (ms: number | undefined): string => (ms === undefined ? 'over 3 h' : durationText(ms))
  return (
    <Panel
      title={shown.of === 'answer' ? 'Time to answer' : shown.of === 'load' ? 'Time of a load' : 'Time until delivered'}
      actions={
        <Legend
          items={[
            { state: 'ink', text: 'half within', value: text(shown.halfWithinMs) },
            { state: 'wait', text: '99 % within', value: text(shown.almostAllWithinMs) },
          ]}
        />
      }
    >
      <TimeChart
        label="Half and 99 % of answers came within"
        slots={history.slots}
        series={[
          { name: '99 % within', state: 'wait', values: shown.slots.map((slot) => slot.almostAllWithinMs) },
          { name: 'half within', state: 'ink', values: shown.slots.map((slot) => slot.halfWithinMs) },
        ]}
        format={durationText}
        isByPowers
        size="mid"
      />
    </Panel>
  )
}
