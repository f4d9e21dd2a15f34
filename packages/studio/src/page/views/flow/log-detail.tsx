import './flow-detail.css'
import { durationText } from '../../parts/format/duration-text.ts'
import { addressOf } from '../../shell/router.ts'
import { countsOf, type WatchedHistory } from '../watch/watched-history.ts'
import type { DestinationLine } from './flow-lines.ts'
import { MinuteChart } from './minute-chart.tsx'

interface LogDetailProps {
  readonly history: WatchedHistory
  readonly destinations: readonly DestinationLine[]
}

/** The log: what was accepted over time, and which destination needs the oldest event. */
export function LogDetail({ history, destinations }: LogDetailProps) {
  const oldest = destinations
    .filter(({ circuit }) => circuit?.oldestAt !== undefined)
    .sort((a, b) => Date.parse(a.circuit?.oldestAt ?? '') - Date.parse(b.circuit?.oldestAt ?? ''))[0]
  return (
    <section class="panel flow-detail" aria-label="event log">
      <div>
        <h2>Event log</h2>
        <p class="soft">Accepted events wait here until each destination has its copy.</p>
        <p>
          <a href={addressOf('/server')}>How full it is</a>
        </p>
      </div>
      <MinuteChart
        title="Accepted a minute"
        name="the log"
        counts={countsOf(history, { kind: 'accepted' })}
        history={history}
      />
      <div>
        <h3>Oldest event that a destination still needs</h3>
        <p class="num">
          {oldest?.circuit?.oldestAt === undefined
            ? 'None: every destination has all of them.'
            : `${durationText(Math.max(0, Date.now() - Date.parse(oldest.circuit.oldestAt)))}, for ${oldest.place.name}`}
        </p>
      </div>
    </section>
  )
}
