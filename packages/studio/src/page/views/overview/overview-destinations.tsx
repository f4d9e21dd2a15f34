import type { CircuitsAnswer } from '@sluice/http'
import { allows } from '../../api/session.ts'
import { Spark } from '../../parts/charts/spark.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Count } from '../../parts/format/count.tsx'
import { durationText } from '../../parts/format/duration-text.ts'
import { Panel } from '../../parts/page/panel.tsx'
import { LetterMark } from '../../parts/signs/letter-mark.tsx'
import { addressOf } from '../../shell/router.ts'
import { type DestinationSums, delayOf } from '../watch/destination-sums.ts'
import { HealthPill, healthState } from '../watch/health-pill.tsx'
import { PauseButton } from '../watch/pause-button.tsx'
import { circuitTryPath, TryButton } from '../watch/try-button.tsx'
import type { WatchedHistory } from '../watch/watched-history.ts'
import type { Place } from '../watch/watched-places.ts'

interface OverviewDestinationsProps {
  readonly history: WatchedHistory
  readonly destinations: readonly Place[]
  readonly sums: readonly DestinationSums[]
  readonly circuits: CircuitsAnswer['workspaces'][number]['destinations']
  readonly onChanged: () => Promise<void>
}

const order = ['failing', 'waiting', 'paused', 'slow']

/** All destinations that are on, those with problems first. */
export function OverviewDestinations(props: OverviewDestinationsProps) {
  const { history, destinations, sums, circuits, onChanged } = props
  const off = destinations.filter(({ enabled }) => !enabled).map(({ name }) => name)
  const circuitOf = (id: string) => circuits.find(({ destinationId }) => destinationId === id)
  const rank = ({ id }: Place): number => {
    const place = order.indexOf(circuitOf(id)?.health ?? '')
    return place < 0 ? order.length : place
  }
  const rows = destinations
    .filter(({ enabled }) => enabled)
    .sort((a, b) => rank(a) - rank(b))
    .map((place) => ({
      place,
      circuit: circuitOf(place.id),
      sum: sums.find(({ destinationId }) => destinationId === place.id),
      delay: delayOf(history, place.id),
    }))
  return (
    <Panel
      title="Destinations"
      isFlush
      actions={
        off.length === 0 ? undefined : (
          <span class="hint">{off.length === 1 ? `${off[0]} is off` : `${off.length} are off`}</span>
        )
      }
    >
      <DataTable
        caption="Destinations and how they are"
        isCaptionUnseen
        rows={rows}
        keyOf={({ place }) => place.id}
        empty="There is no destination that is on."
        columns={[
          {
            title: 'Destination',
            cell: ({ place: { id, name, type = '' } }) => (
              <span class="cell">
                <LetterMark name={type || name} />
                <span>
                  <a href={addressOf(`/destinations/${encodeURIComponent(id)}`)}>{name}</a>
                  <small>{type}</small>
                </span>
              </span>
            ),
          },
          { title: 'State', cell: ({ circuit }) => <HealthPill circuit={circuit} /> },
          {
            title: 'Delivered over time',
            kind: 'graph',
            cell: ({ sum, circuit }) => (
              <Spark values={sum?.deliveredCounts ?? []} state={healthState(circuit) === 'bad' ? 'bad' : 'good'} />
            ),
          },
          { title: 'Delivered', isNumber: true, cell: ({ sum }) => <Count value={sum?.delivered ?? 0} /> },
          {
            title: 'Failed',
            isNumber: true,
            cell: ({ sum, place }) =>
              sum && sum.failed > 0 ? (
                <a class="in bad" href={addressOf('/failed', { destination: place.id })}>
                  <Count value={sum.failed} />
                </a>
              ) : (
                <span class="hint">0</span>
              ),
          },
          {
            title: 'Waiting',
            isNumber: true,
            cell: ({ circuit }) =>
              circuit && circuit.waiting > 0 && ['waiting', 'paused', 'slow', 'failing'].includes(circuit.health) ? (
                <b class="in wait">
                  <Count value={circuit.waiting} />
                </b>
              ) : (
                <Count value={circuit?.waiting ?? 0} />
              ),
          },
          { title: 'Half within', isNumber: true, cell: ({ delay }) => withinText(delay, delay?.halfWithinMs) },
          { title: '99 % within', isNumber: true, cell: ({ delay }) => withinText(delay, delay?.almostAllWithinMs) },
          {
            title: 'Action',
            cell: ({ place, circuit }) =>
              circuit?.state === 'open' ? (
                <TryButton path={circuitTryPath(place.id)} name={place.name} onChanged={onChanged} />
              ) : circuit && allows('operate') ? (
                <PauseButton
                  destinationId={place.id}
                  name={place.name}
                  isPaused={circuit.state === 'paused'}
                  waiting={circuit.waiting}
                  onChanged={onChanged}
                />
              ) : null,
          },
        ]}
      />
    </Panel>
  )
}

function withinText(delay: { readonly count: number } | undefined, ms: number | undefined): string {
  if (delay === undefined || delay.count === 0) return '–'
  return ms === undefined ? 'over 3 h' : durationText(ms)
}
