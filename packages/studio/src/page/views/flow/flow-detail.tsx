import type { ComponentChildren } from 'preact'
import { BalanceBar } from '../../parts/charts/balance-bar.tsx'
import { Meter } from '../../parts/charts/meter.tsx'
import { TimeChart } from '../../parts/charts/time/time-chart.tsx'
import type { EventState } from '../../parts/event-state.ts'
import { countText } from '../../parts/format/count.tsx'
import { durationText } from '../../parts/format/duration-text.ts'
import { LetterMark } from '../../parts/signs/letter-mark.tsx'
import { addressOf } from '../../shell/router.ts'
import { HealthPill } from '../watch/health-pill.tsx'
import { PauseButton } from '../watch/pause-button.tsx'
import { changeFlags, type RecentChange } from '../watch/recent-changes.ts'
import { circuitTryPath, TryButton } from '../watch/try-button.tsx'
import { countsOf, slotsOf, type WatchedHistory } from '../watch/watched-history.ts'
import { type DestinationLine, lossReasons, type SourceLine } from './flow-lines.ts'
import { balanceOf } from './river-list.tsx'

interface DestinationDetailProps {
  readonly line: DestinationLine
  readonly history: WatchedHistory
  readonly changes: readonly RecentChange[]
  readonly onChanged: () => Promise<void>
}

/** Sums, chart and reasons of one destination, with what can be done about it. */
export function DestinationDetail({ line, history, changes, onChanged }: DestinationDetailProps) {
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
          <Minutes
            title="Delivered a minute"
            name={place.name}
            counts={sums.deliveredCounts}
            history={history}
            flags={changeFlags(own)}
          />
          <div>
            <Reasons
              history={history}
              filter={{ destinationId: place.id }}
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
      <Minutes title="Received a minute" name={place.name} counts={counts} history={history} />
      <div>
        <h3>Sends to</h3>
        <p class="soft">
          {sendsTo.length === 0 ? 'No destination: its events stay in the log.' : `${sendsTo.join(', ')}.`}
        </p>
        {rejected > 0 ? <Reasons history={history} filter={{ sourceId: place.id }} empty="" /> : null}
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
      <Minutes
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

interface MinutesProps {
  readonly title: string
  readonly name: string
  readonly counts: readonly number[]
  readonly history: WatchedHistory
  readonly flags?: ReturnType<typeof changeFlags>
}

function Minutes({ title, name, counts, history, flags = [] }: MinutesProps) {
  const perMinute = 60_000 / history.everyMs
  return (
    <div>
      <h3>{title}</h3>
      <TimeChart
        label={`${title}, ${name}`}
        slots={slotsOf(history)}
        series={[
          { name: title.toLowerCase(), state: 'good', kind: 'area', values: counts.map((count) => count * perMinute) },
        ]}
        flags={flags.filter(({ at }) => at >= history.from)}
        size="mid"
      />
    </div>
  )
}

const kinds: Readonly<Record<string, { readonly word: string; readonly state: EventState }>> = {
  failed: { word: 'failed', state: 'bad' },
  dropped: { word: 'filtered', state: 'idle' },
  rejected: { word: 'malformed', state: 'bad' },
}

interface ReasonsProps {
  readonly history: WatchedHistory
  readonly filter: { readonly sourceId?: string; readonly destinationId?: string }
  /** In place of an empty list. */
  readonly empty: string
}

function Reasons({ history, filter, empty }: ReasonsProps): ComponentChildren {
  const reasons = lossReasons(history, filter).slice(0, 5)
  return (
    <>
      <h3>{reasons.length === 0 ? 'Nothing failed' : 'Why events did not arrive'}</h3>
      {reasons.length === 0 ? (
        <p class="soft">{empty}</p>
      ) : (
        <ul class="bars-list">
          {reasons.map(({ kind, reason, count }) => (
            <li key={`${kind} ${reason}`}>
              {kind === 'failed' && filter.destinationId !== undefined ? (
                <a href={addressOf('/failed', { destination: filter.destinationId })}>
                  {reason}
                  <small>{kinds[kind]?.word}</small>
                </a>
              ) : (
                <span>
                  {reason}
                  <small>{kinds[kind]?.word}</small>
                </span>
              )}
              <b>{countText(count)}</b>
              <Meter share={count / (reasons[0]?.count ?? 1)} state={kinds[kind]?.state ?? 'ink'} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
