import { BalanceBar } from '../../parts/charts/balance-bar.tsx'
import { Meter } from '../../parts/charts/meter.tsx'
import { countText } from '../../parts/format/count.tsx'
import { addressOf } from '../../shell/router.ts'
import { HealthPill } from '../watch/health-pill.tsx'
import type { DestinationLine, SourceLine } from './flow-lines.ts'

interface RiverListProps {
  readonly sources: readonly SourceLine[]
  readonly destinations: readonly DestinationLine[]
}

/** The same as the river, for narrow screens: a bar for each place. */
export function RiverList({ sources, destinations }: RiverListProps) {
  const most = Math.max(1, ...sources.map(({ received }) => received))
  return (
    <div class="river-list">
      <h2>Sources</h2>
      <ul>
        {sources.map(({ place, received, suppressed, rejected }) => (
          <li key={place.id}>
            <span class="row apart">
              <b>{place.name}</b>
              <span class="num">{countText(received)}</span>
            </span>
            <Meter share={received / most} state="good" />
            <small>
              {countText(suppressed)} suppressed, {countText(rejected)} malformed
            </small>
          </li>
        ))}
      </ul>
      <h2>Destinations</h2>
      <ul>
        {destinations.map(({ place, sums, circuit, members }) => (
          <li key={place.id}>
            <span class="row apart">
              {members > 1 ? (
                <b>{place.name}</b>
              ) : (
                <a href={addressOf(`/destinations/${encodeURIComponent(place.id)}`)}>{place.name}</a>
              )}
              {members > 1 ? null : <HealthPill circuit={circuit} />}
            </span>
            <BalanceBar label={place.name} whole={sums.came} isSlim parts={balanceOf(sums, place)} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Returns the parts of what came to a destination. */
export function balanceOf(
  { delivered, filtered, failed, waiting }: DestinationLine['sums'],
  { id, enabled }: DestinationLine['place'],
) {
  return [
    { name: 'Delivered', value: delivered, state: 'good' as const },
    { name: enabled ? 'Filtered' : 'Passed by, it is off', value: filtered, state: 'idle' as const },
    { name: 'Failed', value: failed, state: 'bad' as const, href: addressOf('/failed', { destination: id }) },
    { name: 'Waiting', value: waiting, state: 'wait' as const },
  ].filter(({ name, value }) => value > 0 || name === 'Delivered')
}
