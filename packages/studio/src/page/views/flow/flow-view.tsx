import './flow.css'
import { usePolled } from '../../api/polled.ts'
import { Segmented } from '../../parts/fields/segmented.tsx'
import { Notice } from '../../parts/notice.tsx'
import { EmptyState } from '../../parts/page/empty-state.tsx'
import { PageHead } from '../../parts/page/page-head.tsx'
import { RangeSwitch, rangeMs, rangeOf } from '../../parts/page/range-switch.tsx'
import { Skeleton } from '../../parts/page/skeleton.tsx'
import { Legend } from '../../parts/signs/legend.tsx'
import { Pill } from '../../parts/signs/pill.tsx'
import { addressOf, filters, setFilters } from '../../shell/router.ts'
import { healthState } from '../watch/health-pill.tsx'
import { readLetterGroups } from '../watch/letter-groups.ts'
import { readRecentChanges } from '../watch/recent-changes.ts'
import { useHealth } from '../watch/use-health.ts'
import { readWatchedHistory } from '../watch/watched-history.ts'
import { nameIn, readCounters, readWatchedPlaces, unequalPlaces } from '../watch/watched-places.ts'
import { DestinationDetail } from './destination-detail.tsx'
import { destinationLines, drawnLines, sourceLines } from './flow-lines.ts'
import { FlowTable } from './flow-table.tsx'
import { LogDetail } from './log-detail.tsx'
import { River } from './river.tsx'
import { RiverList } from './river-list.tsx'
import { SourceDetail } from './source-detail.tsx'

const countersEveryMs = 5_000
const historyEveryMs = 10_000
const setupEveryMs = 10_000

/** Where events come from, what becomes of them and where they end: as a river, or as tables. */
export function FlowView() {
  const { range: givenRange, as, at } = filters.value
  const range = rangeOf(givenRange)
  const places = usePolled('flow-places', readWatchedPlaces, setupEveryMs).state.value
  const counters = usePolled('flow-counters', readCounters, countersEveryMs).state.value
  const { circuits, error: healthError, refresh } = useHealth()
  const read = usePolled(`flow-history ${range}`, (signal) => readWatchedHistory({ range }, signal), historyEveryMs)
    .state.value
  const changes =
    usePolled(`flow-changes ${range}`, (signal) => readRecentChanges(rangeMs[range], signal), 3 * setupEveryMs).state
      .value.value ?? []
  const groups = usePolled(`flow-groups ${range}`, (signal) => readLetterGroups(range, signal), 3 * setupEveryMs).state
    .value.value
  const error = places.error ?? counters.error ?? read.error ?? healthError
  const unequal = counters.value && unequalPlaces(counters.value)
  const all = [...(places.value?.sources ?? []), ...(places.value?.destinations ?? [])]
  const isTable = as === 'table'
  const head = (
    <PageHead
      title="Flow"
      note="Where events come from, what becomes of them, and where they end."
      state={
        unequal === undefined ? undefined : unequal.size === 0 ? (
          <Pill state="good" icon="scale">
            Every event is accounted for
          </Pill>
        ) : (
          <Pill state="bad" icon="scale">
            Sums do not agree
          </Pill>
        )
      }
      actions={
        <>
          <RangeSwitch value={range} onChange={(value) => setFilters({ range: value })} />
          <Segmented
            label="Show as"
            options={[
              { value: 'picture', text: 'Picture' },
              { value: 'table', text: 'Table' },
            ]}
            value={isTable ? 'table' : 'picture'}
            onChange={(value) => setFilters({ as: value === 'table' ? value : undefined })}
          />
        </>
      }
    />
  )
  if (!places.value || !read.value || !circuits || !unequal)
    return (
      <>
        {head}
        {error ? <Notice kind="bad">{error.message} It is tried again every few seconds.</Notice> : <Skeleton isTall />}
      </>
    )
  const history = read.value
  const sources = sourceLines(places.value, history)
  const destinations = destinationLines(places.value, history, circuits)
  const drawn = drawnLines(destinations)
  const worst = destinations.find(({ circuit }) => healthState(circuit) === 'bad') ?? destinations[0]
  const chosen = at ?? (worst ? `d ${worst.place.id}` : 'log')
  const destination = drawn.find(({ place }) => chosen === `d ${place.id}`)
  const source = sources.find(({ place }) => chosen === `s ${place.id}`)
  const sendsTo = places.value.wires
    .filter(({ sourceId }) => sourceId === source?.place.id)
    .map(({ destinationId }) => nameIn(places.value?.destinations ?? [], destinationId))
  const seconds = Math.max(1, (Math.min(Date.now(), history.until) - history.from) / 1_000)
  return (
    <>
      {head}
      {error ? <Notice kind="bad">{error.message} What is shown is from before.</Notice> : null}
      {unequal.size === 0 ? null : (
        <Notice kind="bad">
          The counters do not add up at:{' '}
          {[...unequal]
            .map(([id, missing]) => `${nameIn(all, id)} (${Math.abs(missing)} ${missing > 0 ? 'missing' : 'too many'})`)
            .join(', ')}
          .
        </Notice>
      )}
      {isTable ? (
        <FlowTable sources={sources} destinations={destinations} history={history} unequal={unequal} />
      ) : (
        <>
          <section class="panel river-panel" aria-label="Picture of the flow">
            {sources.length === 0 && destinations.length === 0 ? (
              <EmptyState
                icon="waypoints"
                title="Nothing is set up"
                action={
                  <a class="btn" href={addressOf('/sources')}>
                    Add a source
                  </a>
                }
              >
                A source receives events, and a destination gets them.
              </EmptyState>
            ) : (
              <>
                <River
                  sources={sources}
                  destinations={drawn}
                  chosen={chosen}
                  onChoose={(what) => setFilters({ at: what })}
                  seconds={seconds}
                />
                <RiverList sources={sources} destinations={drawn} />
              </>
            )}
            <footer class="panel-foot">
              <Legend
                items={[
                  { state: 'good', text: 'Passes' },
                  { state: 'idle', text: 'Filtered on purpose' },
                  { state: 'bad', text: 'Failed' },
                  { state: 'wait', text: 'Waits' },
                  { state: 'guard', text: 'Suppressed' },
                ]}
              />
              <span>One scale for all ribbons. Each destination gets its own copy of the log.</span>
            </footer>
          </section>
          {destination ? (
            <DestinationDetail
              line={destination}
              history={history}
              changes={changes}
              groups={groups?.groups ?? []}
              onChanged={refresh}
            />
          ) : source ? (
            <SourceDetail line={source} history={history} sendsTo={sendsTo} />
          ) : (
            <LogDetail history={history} destinations={destinations} />
          )}
        </>
      )}
    </>
  )
}
