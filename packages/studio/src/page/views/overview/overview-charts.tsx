import { Meter } from '../../parts/charts/meter.tsx'
import { TimeChart } from '../../parts/charts/time/time-chart.tsx'
import { countText } from '../../parts/format/count.tsx'
import { durationText } from '../../parts/format/duration-text.ts'
import { EmptyState } from '../../parts/page/empty-state.tsx'
import { Panel } from '../../parts/page/panel.tsx'
import { Legend } from '../../parts/signs/legend.tsx'
import { addressOf } from '../../shell/router.ts'
import { addUp, type DestinationSums, failureReasons, slowestDelay } from '../watch/destination-sums.ts'
import { groupFilters, type LetterGroup, reasonText } from '../watch/letter-groups.ts'
import { changeFlags, type RecentChange } from '../watch/recent-changes.ts'
import { slotsOf, type WatchedHistory } from '../watch/watched-history.ts'
import { nameIn, type Place } from '../watch/watched-places.ts'

interface DeliveredChartProps {
  readonly history: WatchedHistory
  readonly sums: readonly DestinationSums[]
  readonly changes: readonly RecentChange[]
  /** Destinations that do not answer now, and since when. */
  readonly silent: readonly { readonly name: string; readonly since: string }[]
}

/** Delivered and failed over time, with flags for what may be the cause. */
export function DeliveredChart({ history, sums, changes, silent }: DeliveredChartProps) {
  const perMinute = 60_000 / history.everyMs
  const slots = slotsOf(history)
  const stops = silent.map(({ name, since }) => ({
    at: Date.parse(since),
    text: `${name} stops answering`,
    state: 'bad' as const,
  }))
  const flags = [...changeFlags(changes), ...stops].filter(({ at }) => at >= history.from).sort((a, b) => a.at - b.at)
  const bands = silent.map(({ since }) => ({
    from: Math.max(history.from, Date.parse(since)),
    to: Math.min(history.until, Date.now()),
    state: 'bad' as const,
  }))
  const length = durationText(history.everyMs)
  return (
    <Panel
      title="Delivered a minute"
      actions={
        <Legend
          items={[
            { state: 'good', text: 'Delivered' },
            { state: 'bad', text: `Failed, in ${length}` },
          ]}
        />
      }
    >
      <TimeChart
        label="Events delivered a minute"
        slots={slots}
        series={[
          {
            name: 'delivered a minute',
            state: 'good',
            kind: 'area',
            values: addUp(sums.map((each) => each.deliveredCounts)).map((count) => count * perMinute),
          },
        ]}
        flags={flags}
        bands={bands}
        format={(value) => (value < 10 && value % 1 !== 0 ? value.toFixed(1) : countText(Math.round(value)))}
      />
      <TimeChart
        label={`Failed events in ${length}`}
        slots={slots}
        series={[{ name: 'failed', state: 'bad', kind: 'bars', values: addUp(sums.map((each) => each.failedCounts)) }]}
        bands={bands}
        size="low"
      />
    </Panel>
  )
}

interface WhyFailedProps {
  readonly history: WatchedHistory
  readonly destinations: readonly Place[]
  readonly groups: readonly LetterGroup[]
}

/** Reasons that are shown: the others are one click away. */
const reasonsMax = 5

/** Why events failed in a range, the most frequent first. */
export function WhyFailed({ history, destinations, groups }: WhyFailedProps) {
  const reasons = failureReasons(
    history,
    destinations.map(({ id }) => id),
  ).slice(0, reasonsMax)
  return (
    <Panel
      title="Why events failed"
      actions={
        <a class="btn ghost small" href={addressOf('/failed')}>
          All reasons
        </a>
      }
    >
      {reasons.length === 0 ? (
        <EmptyState icon="circle-check" title="No event failed">
          In this time, each event was delivered, filtered, or still waits.
        </EmptyState>
      ) : (
        <ul class="bars-list">
          {reasons.map(({ destinationId, code, count }) => {
            const group = groups.find((each) => each.destinationId === destinationId && each.code === code)
            const filters = group ? groupFilters(group) : { destination: destinationId }
            return (
              <li key={`${destinationId} ${code}`}>
                <a href={addressOf('/failed', filters)}>
                  {group ? reasonText(group.reason) : code}
                  <small>{nameIn(destinations, destinationId)}</small>
                </a>
                <b>{countText(count)}</b>
                <Meter share={count / (reasons[0]?.count ?? 1)} state="bad" />
              </li>
            )
          })}
        </ul>
      )}
    </Panel>
  )
}

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
