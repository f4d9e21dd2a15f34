import { Meter } from '../../parts/charts/meter.tsx'
import { TimeChart } from '../../parts/charts/time/time-chart.tsx'
import { countText } from '../../parts/format/count.tsx'
import { durationText } from '../../parts/format/duration-text.ts'
import { Panel } from '../../parts/page/panel.tsx'
import { Legend } from '../../parts/signs/legend.tsx'
import {
  groupsMax,
  type LetterGroup,
  type LetterGroups,
  type MendingPlace,
  mendingPlaceOf,
  mendingPlaces,
} from '../watch/letter-groups.ts'
import { changeFlags, type RecentChange } from '../watch/recent-changes.ts'

const order: readonly MendingPlace[] = ['code', 'destination', 'sender']
const shortNames = { code: 'Your code', destination: 'Destination', sender: 'Sender' } as const

interface FailedTrendProps {
  readonly groups: readonly LetterGroup[]
  readonly slots: LetterGroups['slots']
  readonly changes: readonly RecentChange[]
}

/** When the events failed that are kept, by where they are mended, with flags for what may be the cause. */
export function FailedTrend({ groups, slots: { since, everyMs, count }, changes }: FailedTrendProps) {
  const length = durationText(everyMs)
  const from = Date.parse(since)
  const countsAt = (place: MendingPlace): readonly number[] =>
    Array.from({ length: count }, (_, n) =>
      groups.reduce((sum, { code, counts }) => sum + (mendingPlaceOf(code) === place ? (counts[n] ?? 0) : 0), 0),
    )
  return (
    <Panel
      title={`Failed in ${length}`}
      actions={
        <Legend items={order.map((place) => ({ state: mendingPlaces[place].state, text: shortNames[place] }))} />
      }
    >
      <TimeChart
        label={`Failed events in ${length}, by where they are mended`}
        slots={{ from, everyMs, count }}
        series={order.map((place) => ({
          name: shortNames[place].toLowerCase(),
          state: mendingPlaces[place].state,
          kind: 'bars',
          values: countsAt(place),
        }))}
        flags={changeFlags(changes).filter(({ at }) => at >= from)}
        isStacked
        size="mid"
      />
    </Panel>
  )
}

/** How many of the events that are kept are mended where. */
export function WhereToMend({ groups }: { readonly groups: readonly LetterGroup[] }) {
  const kept = groups.reduce((sum, { count }) => sum + count, 0)
  const rows = order
    .map((place) => ({
      ...mendingPlaces[place],
      count: groups.reduce((sum, { code, count }) => sum + (mendingPlaceOf(code) === place ? count : 0), 0),
    }))
    .sort((a, b) => b.count - a.count)
  return (
    <Panel
      title="Where to mend it"
      foot={
        <span>
          {groups.length >= groupsMax ? 'At least ' : ''}
          {countText(kept)} {kept === 1 ? 'is' : 'are'} kept, for {countText(groups.length)}{' '}
          {groups.length === 1 ? 'reason' : 'reasons'}
        </span>
      }
    >
      <ul class="bars-list">
        {rows.map(({ name, note, state, count }) => (
          <li key={name}>
            <span>
              {name}
              <small>{note}</small>
            </span>
            <b>{countText(count)}</b>
            <Meter share={kept === 0 ? 0 : count / kept} state={state} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}
