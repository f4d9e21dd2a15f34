import { DataTable } from '../../parts/data-table.tsx'
import { Count } from '../../parts/format/count.tsx'
import { Panel } from '../../parts/page/panel.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import { addressOf } from '../../shell/router.ts'
import { HealthPill } from '../watch/health-pill.tsx'
import type { WatchedHistory } from '../watch/watched-history.ts'
import { type DestinationLine, lossReasons, type SourceLine } from './flow-lines.ts'

interface FlowTableProps {
  readonly sources: readonly SourceLine[]
  readonly destinations: readonly DestinationLine[]
  readonly history: WatchedHistory
  /** How many events are missing in the counters of a place, by its id. */
  readonly unequal: ReadonlyMap<string, number>
}

/** The same numbers as tables, with the reasons of what did not arrive. */
export function FlowTable({ sources, destinations, history, unequal }: FlowTableProps) {
  const reasons = [
    ...sources.flatMap(({ place }) => lossReasons(history, { sourceId: place.id }).map((each) => ({ place, ...each }))),
    ...destinations.flatMap(({ place }) =>
      lossReasons(history, { destinationId: place.id }).map((each) => ({ place, ...each })),
    ),
  ]
  const addsUp = {
    title: 'Adds up',
    isNumber: true,
    cell: ({ place }: { place: { id: string } }) => <AddsUp missing={unequal.get(place.id) ?? 0} />,
  }
  const number = <Row,>(title: string, of: (row: Row) => number) => ({
    title,
    isNumber: true,
    cell: (row: Row) => <Count value={of(row)} />,
  })
  return (
    <>
      <Panel title="Destinations" isFlush>
        <DataTable
          caption="Destinations: what came and what became of it"
          isCaptionUnseen
          rows={destinations}
          keyOf={({ place }) => place.id}
          empty="There is no destination yet."
          columns={[
            {
              title: 'Destination',
              cell: ({ place }) => (
                <a href={addressOf(`/destinations/${encodeURIComponent(place.id)}`)}>{place.name}</a>
              ),
            },
            { title: 'State', cell: ({ circuit }) => <HealthPill circuit={circuit} /> },
            number<DestinationLine>('Came', ({ sums }) => sums.came),
            number<DestinationLine>('Delivered', ({ sums }) => sums.delivered),
            number<DestinationLine>('Filtered', ({ sums }) => sums.filtered),
            number<DestinationLine>('Failed', ({ sums }) => sums.failed),
            number<DestinationLine>('Waiting', ({ sums }) => sums.waiting),
            addsUp,
          ]}
        />
      </Panel>
      <Panel title="Sources" isFlush>
        <DataTable
          caption="Sources: what they sent"
          isCaptionUnseen
          rows={sources}
          keyOf={({ place }) => place.id}
          empty="There is no source yet."
          columns={[
            {
              title: 'Source',
              cell: ({ place }) => <a href={addressOf(`/sources/${encodeURIComponent(place.id)}`)}>{place.name}</a>,
            },
            number<SourceLine>('Received', ({ received }) => received),
            number<SourceLine>('Accepted', ({ accepted }) => accepted),
            number<SourceLine>('Suppressed', ({ suppressed }) => suppressed),
            number<SourceLine>('Malformed', ({ rejected }) => rejected),
            number<SourceLine>('Came twice', ({ duplicates }) => duplicates),
            addsUp,
          ]}
        />
      </Panel>
      <Panel title="Why events did not arrive" isFlush>
        <DataTable
          caption="Why events were rejected, filtered or failed"
          isCaptionUnseen
          rows={reasons}
          keyOf={({ place, kind, reason }) => `${place.id} ${kind} ${reason}`}
          empty="All events arrived, or wait."
          columns={[
            { title: 'Where', cell: ({ place }) => place.name },
            { title: 'What', cell: ({ kind }) => (kind === 'dropped' ? 'filtered' : kind) },
            { title: 'Why', cell: ({ reason }) => reason },
            number<(typeof reasons)[number]>('Events', ({ count }) => count),
          ]}
        />
      </Panel>
    </>
  )
}

function AddsUp({ missing }: { readonly missing: number }) {
  if (missing === 0)
    return (
      <span class="in good">
        <Icon name="check" />
        <span class="unseen">adds up</span>
      </span>
    )
  return (
    <span class="in bad">
      <Count value={Math.abs(missing)} /> {missing > 0 ? 'missing' : 'too many'}
    </span>
  )
}
