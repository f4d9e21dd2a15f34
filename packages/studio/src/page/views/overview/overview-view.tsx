import { usePolled } from '../../api/polled.ts'
import { BalanceBar } from '../../parts/charts/balance-bar.tsx'
import { Spark } from '../../parts/charts/spark.tsx'
import { SparkBars } from '../../parts/charts/spark-bars.tsx'
import { TimeChart } from '../../parts/charts/time/time-chart.tsx'
import { countText } from '../../parts/format/count.tsx'
import { shareText } from '../../parts/format/share-text.ts'
import { shortCount } from '../../parts/format/short-count.ts'
import { Notice } from '../../parts/notice.tsx'
import { PageHead } from '../../parts/page/page-head.tsx'
import { Panel } from '../../parts/page/panel.tsx'
import { Skeleton } from '../../parts/page/skeleton.tsx'
import { Tile, Tiles } from '../../parts/page/tile.tsx'
import { addressOf } from '../../shell/router.ts'
import { useCircuits } from '../destinations/circuit.tsx'
import { flowModel } from '../flow/flow-model.ts'
import { readCounts, readHistory, readSetup } from '../flow/read-flow.ts'
import { lastHour, overviewNumbers } from './overview-numbers.ts'
import { OverviewState } from './overview-state.tsx'

const countsEveryMs = 5_000
const historyEveryMs = 15_000
const setupEveryMs = 30_000

/** How things are: one sentence, five numbers, the last hour, and whether it all adds up. */
export function OverviewView() {
  const setup = usePolled('overview-setup', readSetup, setupEveryMs).state.value
  const counts = usePolled('overview-counts', readCounts, countsEveryMs).state.value
  const history = usePolled('overview-history', readHistory, historyEveryMs).state.value
  const circuits = useCircuits()
  const error = setup.error ?? counts.error ?? history.error
  const model =
    setup.value && counts.value
      ? flowModel({ ...setup.value, ...counts.value, points: history.value?.points ?? [] })
      : undefined
  const hour = lastHour(history.value?.points ?? [])
  return (
    <>
      <PageHead title="Overview" note="Is everything well, and what changed?" />
      {error ? <Notice kind="bad">{error.message} It is read again every few seconds.</Notice> : null}
      {model === undefined ? (
        error ? null : (
          <Skeleton isTall />
        )
      ) : (
        <>
          <OverviewState model={model} circuits={circuits} />
          <Numbers numbers={overviewNumbers(model)} hour={hour} />
          {hour ? (
            <Panel title="Delivered and failed" note="Events in 15 seconds, the last hour">
              <TimeChart
                label="Delivered and failed events in the last hour"
                slots={{ from: hour.from, everyMs: hour.everyMs, count: hour.delivered.length }}
                series={[
                  { name: 'delivered', state: 'good', kind: 'area', values: hour.delivered },
                  { name: 'failed', state: 'bad', values: hour.failed },
                ]}
              />
            </Panel>
          ) : null}
          <Sums numbers={overviewNumbers(model)} />
        </>
      )}
    </>
  )
}

type Numbers = ReturnType<typeof overviewNumbers>

function Numbers({ numbers, hour }: { readonly numbers: Numbers; readonly hour: ReturnType<typeof lastHour> }) {
  const { received, came, delivered, filtered, failed, waiting } = numbers
  const share = (part: number): string => `${shareText(part, came)} of what came to destinations`
  return (
    <Tiles>
      <Tile title="Received" value={shortCount(received)} note="Events, since the store was created" />
      <Tile
        title="Delivered"
        value={shortCount(delivered)}
        note={share(delivered)}
        chart={<Spark values={hour?.delivered ?? []} />}
      />
      <Tile title="Filtered" value={shortCount(filtered)} note={share(filtered)} />
      <Tile
        title="Failed"
        value={shortCount(failed)}
        note={share(failed)}
        chart={<SparkBars values={perFiveMinutes(hour?.failed ?? [])} />}
      />
      <Tile title="Waiting" value={shortCount(waiting)} note="Now, at all destinations" />
    </Tiles>
  )
}

/** Slots of 15 seconds in five minutes: bars of single slots would be hairlines. */
const slotsTogether = 20

function perFiveMinutes(values: readonly number[]): readonly number[] {
  const count = Math.ceil(values.length / slotsTogether)
  return Array.from({ length: count }, (_, n) =>
    values.slice(n * slotsTogether, (n + 1) * slotsTogether).reduce((sum, value) => sum + value, 0),
  )
}

function Sums({ numbers: { came, delivered, filtered, failed, waiting } }: { readonly numbers: Numbers }) {
  return (
    <Panel
      title="Does it add up?"
      note="Every event that came to a destination, since the store was created"
      actions={<a href={addressOf('/flow')}>By destination</a>}
    >
      <BalanceBar
        label={`${countText(came)} events at destinations`}
        title="Came to destinations"
        whole={came}
        parts={[
          { name: 'Delivered', value: delivered, state: 'good' },
          { name: 'Filtered', value: filtered, state: 'idle' },
          { name: 'Failed', value: failed, state: 'bad', href: addressOf('/failed') },
          { name: 'Waiting', value: waiting, state: 'wait' },
        ]}
      />
    </Panel>
  )
}
