import './flow-detail.css'
import { BalanceBar } from '../../parts/charts/balance-bar.tsx'
import { addressOf } from '../../shell/router.ts'
import type { WatchedHistory } from '../watch/watched-history.ts'
import type { SourceLine } from './flow-lines.ts'
import { LossList } from './loss-list.tsx'
import { MinuteChart } from './minute-chart.tsx'

interface SourceDetailProps {
  readonly line: SourceLine
  readonly history: WatchedHistory
  /** Names of the destinations it is connected with. */
  readonly sendsTo: readonly string[]
}

/** Sums, chart and connections of one source. */
export function SourceDetail({ line, history, sendsTo }: SourceDetailProps) {
  const { place, received, accepted, suppressed, rejected, duplicates, counts } = line
  return (
    <section class="panel flow-detail" aria-label={`source ${place.name}`}>
      <div>
        <h2>{place.name}</h2>
        <BalanceBar
          label={place.name}
          title="Received"
          whole={received}
          isSlim
          parts={[
            { name: 'Accepted', value: accepted, state: 'good' },
            { name: 'Suppressed', value: suppressed, state: 'guard', href: addressOf('/privacy') },
            { name: 'Malformed', value: rejected, state: 'bad' },
            { name: 'Came twice', value: duplicates, state: 'idle' },
          ]}
        />
      </div>
      <MinuteChart title="Received a minute" name={place.name} counts={counts} history={history} />
      <div>
        <h3>Sends to</h3>
        <p class="soft">
          {sendsTo.length === 0 ? 'No destination: its events stay in the log.' : `${sendsTo.join(', ')}.`}
        </p>
        {rejected > 0 ? <LossList history={history} filter={{ sourceId: place.id }} empty="" /> : null}
        <div class="row detail-deeds">
          <a class="btn" href={addressOf('/live', { source: place.id })}>
            Watch its events
          </a>
          <a class="btn" href={addressOf(`/sources/${encodeURIComponent(place.id)}`)}>
            Write keys
          </a>
        </div>
      </div>
    </section>
  )
}
