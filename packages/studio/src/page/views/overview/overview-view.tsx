import { usePolled } from '../../api/polled.ts'
import type { ApiError } from '../../api/request.ts'
import { visitor } from '../../api/session.ts'
import { BalanceBar } from '../../parts/charts/balance-bar.tsx'
import { countText } from '../../parts/format/count.tsx'
import { Notice } from '../../parts/notice.tsx'
import { PageHead } from '../../parts/page/page-head.tsx'
import { Panel } from '../../parts/page/panel.tsx'
import { RangeSwitch, rangeMs, rangeOf } from '../../parts/page/range-switch.tsx'
import { Skeleton } from '../../parts/page/skeleton.tsx'
import { Pill } from '../../parts/signs/pill.tsx'
import { addressOf, filters, setFilters } from '../../shell/router.ts'
import { type DestinationSums, destinationSums, lastFailure, sumOf } from '../watch/destination-sums.ts'
import { readLetterGroups } from '../watch/letter-groups.ts'
import { readRecentChanges } from '../watch/recent-changes.ts'
import { useHealth } from '../watch/use-health.ts'
import { readWatchedHistory } from '../watch/watched-history.ts'
import { nameIn, readCounters, readWatchedPlaces, unequalPlaces } from '../watch/watched-places.ts'
import { Delays } from './delays.tsx'
import { DeliveredChart } from './delivered-chart.tsx'
import { FirstSteps } from './first-steps.tsx'
import { LatestChanges } from './latest-changes.tsx'
import { OverviewDestinations } from './overview-destinations.tsx'
import { OverviewState } from './overview-state.tsx'
import { OverviewTiles } from './overview-tiles.tsx'
import { WhyFailed } from './why-failed.tsx'

const countersEveryMs = 5_000
const historyEveryMs = 15_000
const setupEveryMs = 30_000
const dayMs = 86_400_000
const rangeNames = { '1h': 'hour', '24h': '24 hours', '7d': '7 days' } as const

/** How things are: one sentence, five numbers, the range as charts, and what changed in it. */
export function OverviewView() {
  const range = rangeOf(filters.value['range'])
  const places = usePolled('overview-places', readWatchedPlaces, setupEveryMs).state.value
  const counters = usePolled('overview-counters', readCounters, countersEveryMs).state.value
  const { circuits, error: healthError, refresh } = useHealth()
  const history = usePolled(
    `overview-history ${range}`,
    (signal) => readWatchedHistory({ range }, signal),
    historyEveryMs,
  ).state.value
  const before = usePolled(
    `overview-before ${range}`,
    (signal) => readWatchedHistory(earlier(rangeMs[range]), signal),
    10 * historyEveryMs,
  ).state.value.value
  const changes = usePolled(
    `overview-changes ${range}`,
    (signal) => readRecentChanges(rangeMs[range], signal),
    setupEveryMs,
  ).state.value.value
  const groups = usePolled(`overview-groups ${range}`, (signal) => readLetterGroups(range, signal), historyEveryMs)
    .state.value.value
  const error: ApiError | undefined = places.error ?? counters.error ?? history.error ?? healthError
  const isFirst = counters.value?.every(({ received }) => received === 0) ?? false
  const isRead = places.value && counters.value && circuits && history.value
  const head = (
    <PageHead
      title="Overview"
      note={
        isFirst
          ? 'Nothing has come yet. Three steps, about two minutes.'
          : `The last ${rangeNames[range]} of ${visitor.value?.workspace.name ?? 'this workspace'}, in your time zone.`
      }
      state={
        isRead && !error && !isFirst ? (
          <Pill state="good" isLive>
            Live
          </Pill>
        ) : undefined
      }
      actions={isFirst ? undefined : <RangeSwitch value={range} onChange={(value) => setFilters({ range: value })} />}
    />
  )
  if (!places.value || !counters.value || !circuits || !history.value)
    return (
      <>
        {head}
        {error ? <Notice kind="bad">{error.message} It is read again every few seconds.</Notice> : <Skeleton isTall />}
      </>
    )
  const { sources, destinations } = places.value
  if (isFirst)
    return (
      <>
        {head}
        <FirstSteps sources={sources} destinations={destinations} />
      </>
    )
  const on = destinations.filter(({ enabled }) => enabled)
  const unequal = unequalPlaces(counters.value)
  const sums = on.map(({ id }) =>
    destinationSums(history.value as NonNullable<typeof history.value>, {
      destinationId: id,
      waiting: circuits.find(({ destinationId }) => destinationId === id)?.waiting ?? 0,
    }),
  )
  const silent = circuits
    .filter(({ health, failingSince }) => health === 'waiting' && failingSince !== undefined)
    .map(({ destinationId, failingSince = '' }) => ({ name: nameIn(destinations, destinationId), since: failingSince }))
  return (
    <>
      {head}
      {error ? <Notice kind="bad">{error.message} What is shown is from before.</Notice> : null}
      <OverviewState
        destinations={destinations}
        circuits={circuits}
        unequal={[...unequal.keys()].map((id) => nameIn([...sources, ...destinations], id))}
        keptFailed={sumOf((groups?.groups ?? []).map(({ count }) => count))}
        answerOf={(id) => lastFailure(history.value as NonNullable<typeof history.value>, id)}
        onChanged={refresh}
      />
      <OverviewTiles history={history.value} before={before} places={destinations} sums={sums} circuits={circuits} />
      <div class="grid main-side stretch">
        <DeliveredChart history={history.value} sums={sums} changes={changes ?? []} silent={silent} />
        <WhyFailed history={history.value} destinations={destinations} groups={groups?.groups ?? []} />
      </div>
      <OverviewDestinations
        history={history.value}
        destinations={destinations}
        sums={sums}
        circuits={circuits}
        onChanged={refresh}
      />
      <div class="grid three stretch">
        <Sums sums={sums} isEqual={unequal.size === 0} />
        <Delays history={history.value} destinations={destinations} />
        <LatestChanges changes={changes ?? []} />
      </div>
    </>
  )
}

/** Returns the range before: of the day before, or of the week before where the range is longer than a day. */
function earlier(lengthMs: number): { readonly since: string; readonly until: string } {
  const backMs = Math.max(dayMs, lengthMs)
  const now = Date.now()
  return { since: new Date(now - backMs - lengthMs).toISOString(), until: new Date(now - backMs).toISOString() }
}

interface SumsProps {
  readonly sums: readonly DestinationSums[]
  /** Whether the counters of all places add up. */
  readonly isEqual: boolean
}

function Sums({ sums, isEqual }: SumsProps) {
  const total = (name: 'came' | 'sentAgain' | 'delivered' | 'filtered' | 'failed' | 'waiting') =>
    sumOf(sums.map((each) => each[name]))
  return (
    <Panel
      title="Does it add up?"
      actions={
        isEqual ? (
          <Pill state="good" icon="check">
            Yes
          </Pill>
        ) : (
          <Pill state="bad" icon="x">
            No
          </Pill>
        )
      }
      foot={
        <>
          <span>
            Each event ends once at each destination
            {total('sentAgain') > 0 ? `; ${countText(total('sentAgain'))} were sent again, and end once more` : ''}.
          </span>
          <a href={addressOf('/flow', filters.value)}>Flow</a>
        </>
      }
    >
      <BalanceBar
        label={`${countText(total('came'))} events at destinations`}
        title="Came to destinations"
        whole={total('came')}
        isSlim
        parts={[
          { name: 'Delivered', value: total('delivered'), state: 'good' },
          { name: 'Filtered', value: total('filtered'), state: 'idle' },
          { name: 'Failed', value: total('failed'), state: 'bad', href: addressOf('/failed') },
          { name: 'Waiting', value: total('waiting'), state: 'wait' },
        ]}
      />
    </Panel>
  )
}
