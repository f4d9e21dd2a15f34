import type { CircuitsAnswer } from '@sluice/http'
import { Spark } from '../../parts/charts/spark.tsx'
import { SparkBars } from '../../parts/charts/spark-bars.tsx'
import type { EventState } from '../../parts/event-state.ts'
import { countText } from '../../parts/format/count.tsx'
import { durationText } from '../../parts/format/duration-text.ts'
import { shareText } from '../../parts/format/share-text.ts'
import { shortCount } from '../../parts/format/short-count.ts'
import { Tile, Tiles } from '../../parts/page/tile.tsx'
import {
  addUp,
  type DestinationSums,
  failureReasons,
  rangeTotals,
  slowestDelay,
  sumOf,
} from '../watch/destination-sums.ts'
import { countsOf, type WatchedHistory } from '../watch/watched-history.ts'
import { nameIn, type Place } from '../watch/watched-places.ts'

interface OverviewTilesProps {
  readonly history: WatchedHistory
  /** The same range a day or a week earlier; undefined until it is read. */
  readonly before: WatchedHistory | undefined
  readonly places: readonly Place[]
  readonly sums: readonly DestinationSums[]
  readonly circuits: CircuitsAnswer['workspaces'][number]['destinations']
}

/** The five numbers of a range, against the time before. */
export function OverviewTiles({ history, before, places, sums, circuits }: OverviewTilesProps) {
  const ids = sums.map(({ destinationId }) => destinationId)
  const now = rangeTotals(history, ids)
  const then = before && isWhole(before) ? rangeTotals(before, ids) : undefined
  const acceptedCounts = countsOf(history, { kind: 'accepted' })
  const seconds = Math.max(1, (Math.min(Date.now(), history.until) - history.from) / 1_000)
  const failedCounts = addUp(sums.map((each) => each.failedCounts))
  const slow = slowestDelay(history)
  const [reason] = failureReasons(history, ids)
  const waiting = sumOf(circuits.map((circuit) => circuit.waiting))
  const oldest = circuits
    .filter(({ oldestAt }) => oldestAt !== undefined)
    .sort((a, b) => Date.parse(a.oldestAt ?? '') - Date.parse(b.oldestAt ?? ''))[0]
  const ended = now.delivered + now.failed
  return (
    <Tiles>
      <Tile
        title="Events accepted"
        value={shortCount(now.accepted)}
        change={then && grown(now.accepted, then.accepted)}
        note={`${rateText(now.accepted / seconds)} a second, ${rateText(Math.max(0, ...acceptedCounts) / (history.everyMs / 1_000))} at most`}
        chart={<Spark values={acceptedCounts} />}
      />
      <Tile
        title="Delivered"
        value={shareText(now.delivered, ended)}
        change={then && points(now, then)}
        note={`${countText(now.failed)} of ${shortCount(ended)} failed`}
        chart={<Spark values={addUp(sums.map((each) => each.deliveredCounts))} />}
      />
      <Tile
        title="Time to deliver"
        value={slow?.halfWithinMs === undefined ? '–' : durationText(slow.halfWithinMs)}
        change={then && before && slow ? longer(slow, before) : undefined}
        note={
          slow === undefined
            ? 'Nothing was delivered'
            : `half at ${nameIn(places, slow.destinationId)}, the slowest; 99 % ${slow.almostAllWithinMs === undefined ? 'take over 3 h' : `within ${durationText(slow.almostAllWithinMs)}`}`
        }
        chart={
          slow ? (
            <SparkBars
              values={inBars(
                slow.slots.map(({ halfWithinMs = 0 }) => halfWithinMs),
                Math.max,
              )}
              state="wait"
            />
          ) : null
        }
      />
      <Tile
        title="Failed"
        value={countText(now.failed)}
        change={then && more(now.failed, then.failed, 'bad')}
        note={
          reason === undefined
            ? 'None in this time'
            : `${countText(reason.count)} of them at ${nameIn(places, reason.destinationId)}`
        }
        chart={<SparkBars values={inBars(failedCounts)} />}
      />
      <Tile
        title="Waiting now"
        value={countText(waiting)}
        note={
          oldest?.oldestAt === undefined
            ? 'No event waits'
            : `the oldest for ${durationText(Math.max(0, Date.now() - Date.parse(oldest.oldestAt)))}, at ${nameIn(places, oldest.destinationId)}`
        }
        chart={<Spark values={addUp(sums.map((each) => each.waitingCounts))} state="wait" />}
      />
    </Tiles>
  )
}

/** Whether events came in the first half of a range: else it began with the store, and is no comparison. */
function isWhole(before: WatchedHistory): boolean {
  const counts = countsOf(before, { kind: 'accepted' })
  return sumOf(counts.slice(0, counts.length / 2)) > 0
}

type Change = { readonly text: string; readonly state: EventState } | undefined

/** Returns how a number has grown; undefined where there was nothing before. */
function grown(now: number, before: number): Change {
  if (before === 0) return undefined
  const share = Math.round((now / before - 1) * 100)
  return { text: `${signOf(share)}${countText(Math.abs(share))} %`, state: 'idle' }
}

function more(now: number, before: number, worse: EventState): Change {
  if (now === before) return undefined
  return { text: `${signOf(now - before)}${countText(Math.abs(now - before))}`, state: now > before ? worse : 'good' }
}

function points(now: { delivered: number; failed: number }, before: { delivered: number; failed: number }): Change {
  if (before.delivered + before.failed === 0 || now.delivered + now.failed === 0) return undefined
  const share = (each: { delivered: number; failed: number }) => (each.delivered / (each.delivered + each.failed)) * 100
  const change = share(now) - share(before)
  return Math.abs(change) < 0.005
    ? undefined
    : { text: `${signOf(change)}${Math.abs(change).toFixed(2)} %`, state: change < -0.5 ? 'bad' : 'idle' }
}

function longer(slow: { destinationId: string; halfWithinMs?: number }, before: WatchedHistory): Change {
  const earlier = before.delays.find((each) => each.of === 'delivery' && each.destinationId === slow.destinationId)
  if (earlier?.halfWithinMs === undefined || slow.halfWithinMs === undefined) return undefined
  const change = slow.halfWithinMs - earlier.halfWithinMs
  return change === 0
    ? undefined
    : { text: `${signOf(change)}${durationText(Math.abs(change))}`, state: change > 0 ? 'wait' : 'good' }
}

function signOf(change: number): string {
  return change < 0 ? '−' : '+'
}

const oneDigit = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

function rateText(perSecond: number): string {
  return perSecond > 0 && perSecond < 0.05 ? '< 0.1' : oneDigit.format(perSecond)
}

/** Bars that are wide enough to be seen. */
const barsMax = 32

function inBars(counts: readonly number[], join = (...some: number[]) => sumOf(some)): readonly number[] {
  const together = Math.max(1, Math.ceil(counts.length / barsMax))
  return Array.from({ length: Math.ceil(counts.length / together) }, (_, n) =>
    join(...counts.slice(n * together, (n + 1) * together)),
  )
}
