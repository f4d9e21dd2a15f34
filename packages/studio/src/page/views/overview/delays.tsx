import { TimeChart } from '../../parts/charts/time/time-chart.tsx'
import { durationText } from '../../parts/format/duration-text.ts'
import { EmptyState } from '../../parts/page/empty-state.tsx'
import { Panel } from '../../parts/page/panel.tsx'
import { Legend } from '../../parts/signs/legend.tsx'
import { slowestDelay } from '../watch/destination-sums.ts'
import { slotsOf, type WatchedHistory } from '../watch/watched-history.ts'
import { nameIn, type Place } from '../watch/watched-places.ts'

interface DelaysProps {
  readonly history: WatchedHistory
  readonly destinations: readonly Place[]
}

/** Time to deliver over time, at the slowest destination. */
export function Delays({ history, destinations }: DelaysProps) {
  const slow = slowestDelay(history)
  return (
    <Panel
      title="Time to deliver"
      note={
        slow
          ? `At ${nameIn(destinations, slow.destinationId)}, the slowest without those that load in batches`
          : undefined
      }
      actions={
        <Legend
          items={[
            { state: 'ink', text: 'half' },
            { state: 'wait', text: '99 %' },
          ]}
        />
      }
    >
      {slow === undefined ? (
        <EmptyState icon="timer" title="Nothing was delivered">
          The time from receiving an event to its delivery is shown here.
        </EmptyState>
      ) : (
        <TimeChart
          label={`Time to deliver at ${nameIn(destinations, slow.destinationId)}`}
          slots={slotsOf(history)}
          series={[
            {
              name: '99 % within',
              state: 'wait',
              kind: 'bars',
              values: slow.slots.map((slot) => slot.almostAllWithinMs),
            },
            { name: 'half within', state: 'ink', kind: 'bars', values: slow.slots.map((slot) => slot.halfWithinMs) },
          ]}
          format={durationText}
          isByPowers
          size="mid"
        />
      )}
    </Panel>
  )
}
