import { useState } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { SearchField } from '../../parts/fields/search-field.tsx'
import { Notice } from '../../parts/notice.tsx'
import { EmptyState } from '../../parts/page/empty-state.tsx'
import { PageHead } from '../../parts/page/page-head.tsx'
import { Panel } from '../../parts/page/panel.tsx'
import { RangeSwitch, rangeMs, rangeOf } from '../../parts/page/range-switch.tsx'
import { Skeleton } from '../../parts/page/skeleton.tsx'
import { addressOf, filters, setFilters } from '../../shell/router.ts'
import { groupsMax, readLetterGroups } from '../watch/letter-groups.ts'
import { readRecentChanges } from '../watch/recent-changes.ts'
import { nameIn, readWatchedPlaces } from '../watch/watched-places.ts'
import { FailedTrend, WhereToMend } from './failed-trend.tsx'
import { OneReason } from './one-reason.tsx'
import { ReasonTable } from './reason-table.tsx'
import { ReplayButton, ReplayProgress } from './replay-job.tsx'

const groupsEveryMs = 5_000
const othersEveryMs = 30_000

/** Failed events by where they are mended and why, and for one reason the way from its cause to sending again. */
export function Reasons() {
  const range = rangeOf(filters.value['range'])
  const { state, refresh } = usePolled(
    `failed-groups ${range}`,
    (signal) => readLetterGroups(range, signal),
    groupsEveryMs,
  )
  const places = usePolled('failed-places', readWatchedPlaces, othersEveryMs).state.value
  const changes = usePolled(
    `failed-changes ${range}`,
    (signal) => readRecentChanges(rangeMs[range], signal),
    othersEveryMs,
  ).state.value.value
  const [jobId, setJobId] = useState<string>()
  const [search, setSearch] = useState('')
  const { value } = state.value
  const error = state.value.error ?? places.error
  const { destination, code, reason, at: chosenAt = destination } = filters.value
  const destinations = places.value?.destinations ?? []
  const all = value?.groups ?? []
  const at = all.filter(({ destinationId }) => !destination || destinationId === destination)
  const words = search.toLowerCase()
  const groups = at.filter((group) =>
    `${nameIn(destinations, group.destinationId)} ${group.code} ${group.reason}`.toLowerCase().includes(words),
  )
  const isChosen = code !== undefined || reason !== undefined
  const chosen = isChosen
    ? at.find(
        (group) => group.code === code && group.reason === reason && (!chosenAt || group.destinationId === chosenAt),
      )
    : groups[0]
  const kept = at.reduce((sum, { count }) => sum + count, 0)
  return (
    <>
      <PageHead
        title="Failed events"
        note="Events that could not be delivered, also called dead letters. They are kept until you send them again or delete them."
        actions={
          <>
            <RangeSwitch value={range} onChange={(each) => setFilters({ range: each })} />
            {at.length > 1 ? (
              <ReplayButton
                choice={destination ? { destinationId: destination } : { since: new Date(0).toISOString() }}
                count={kept}
                isAtLeast={all.length >= groupsMax}
                to={destination ? nameIn(destinations, destination) : undefined}
                onStarted={setJobId}
              />
            ) : null}
          </>
        }
      />
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {/* Not beside its button, which disappears with the last event. */}
      {jobId === undefined ? null : (
        <div class="replay-at">
          <ReplayProgress key={jobId} id={jobId} onDone={() => void refresh()} />
        </div>
      )}
      {destination ? (
        <p>
          Only at {nameIn(destinations, destination)}. <a href={addressOf('/failed', { range })}>Show all</a>
        </p>
      ) : null}
      {value === undefined ? (
        error ? null : (
          <Skeleton isTall />
        )
      ) : at.length === 0 ? (
        <Panel title="Reasons">
          <EmptyState icon="circle-check" title="No event has failed">
            An event that a destination refuses, that your code throws for, or that lacks something is kept here, with
            the way to mend it.
          </EmptyState>
        </Panel>
      ) : (
        <>
          <div class="grid main-side stretch">
            <FailedTrend groups={at} slots={value.slots} changes={changes ?? []} />
            <WhereToMend groups={at} />
          </div>
          <div class="panes even">
            <Panel
              title="Reasons"
              isFlush
              actions={<SearchField label="Reason or destination" value={search} onInput={setSearch} />}
            >
              <ReasonTable groups={groups} chosen={chosen} destinations={destinations} />
            </Panel>
            {chosen ? (
              <OneReason
                key={`${chosen.destinationId} ${chosen.code} ${chosen.reason}`}
                group={chosen}
                destination={destinations.find(({ id }) => id === chosen.destinationId)}
                onChanged={() => void refresh()}
                onStarted={setJobId}
              />
            ) : isChosen ? (
              <Panel title="This reason">
                <p class="soft">No event is kept that failed for it: all were sent again or deleted.</p>
              </Panel>
            ) : null}
          </div>
        </>
      )}
    </>
  )
}
