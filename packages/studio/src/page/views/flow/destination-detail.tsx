import './flow-detail.css'
import { BalanceBar } from '../../parts/charts/balance-bar.tsx'
import { LetterMark } from '../../parts/signs/letter-mark.tsx'
import { addressOf } from '../../shell/router.ts'
import { HealthPill } from '../watch/health-pill.tsx'
import type { LetterGroup } from '../watch/letter-groups.ts'
import { PauseButton } from '../watch/pause-button.tsx'
import { changeFlags, type RecentChange } from '../watch/recent-changes.ts'
import { circuitTryPath, TryButton } from '../watch/try-button.tsx'
import type { WatchedHistory } from '../watch/watched-history.ts'
import type { DestinationLine } from './flow-lines.ts'
import { LossList } from './loss-list.tsx'
import { MinuteChart } from './minute-chart.tsx'
import { balanceOf } from './river-list.tsx'

interface DestinationDetailProps {
  readonly line: DestinationLine
  readonly history: WatchedHistory
  readonly changes: readonly RecentChange[]
  readonly groups: readonly LetterGroup[]
  readonly onChanged: () => Promise<void>
}

/** Sums, chart and reasons of one destination, with what can be done about it. */
export function DestinationDetail({ line, history, changes, groups, onChanged }: DestinationDetailProps) {
  const { place, sums, circuit, members } = line
  const own = changes.filter(({ subject }) => subject.id === place.id || subject.id === place.transformation?.id)
  return (
    <section class="panel flow-detail" aria-label={`destination ${place.name}`}>
      <div>
        <div class="row apart">
          <h2 class="cell">
            <LetterMark name={place.type || place.name} /> {place.name}
          </h2>
          {members > 1 ? null : <HealthPill circuit={circuit} />}
        </div>
        <BalanceBar label={place.name} whole={sums.came} isSlim parts={balanceOf(sums, place)} />
      </div>
      {members > 1 ? (
        <p class="soft">These destinations got the fewest events. The table has each of them.</p>
      ) : (
        <>
          <MinuteChart
            title="Delivered a minute"
            name={place.name}
            counts={sums.deliveredCounts}
            history={history}
            flags={changeFlags(own)}
          />
          <div>
            <LossList
              history={history}
              filter={{ destinationId: place.id }}
              groups={groups}
              empty="All events that came were delivered, or wait."
            />
            <div class="row detail-deeds">
              <a class="btn" href={addressOf(`/destinations/${encodeURIComponent(place.id)}`)}>
                Open
              </a>
              <a class="btn" href={addressOf('/live', { destination: place.id })}>
                Watch its events
              </a>
              {circuit?.state === 'open' ? (
                <TryButton path={circuitTryPath(place.id)} name={place.name} onChanged={onChanged} />
              ) : null}
              {circuit ? (
                <PauseButton
                  destinationId={place.id}
                  name={place.name}
                  isPaused={circuit.state === 'paused'}
                  waiting={circuit.waiting}
                  onChanged={onChanged}
                />
              ) : null}
            </div>
          </div>
        </>
      )}
    </section>
  )
}
