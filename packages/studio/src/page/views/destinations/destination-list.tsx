import { useState } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { allows } from '../../api/session.ts'
import { SearchField } from '../../parts/fields/search-field.tsx'
import { Segmented } from '../../parts/fields/segmented.tsx'
import { Notice } from '../../parts/notice.tsx'
import { EmptyState } from '../../parts/page/empty-state.tsx'
import { PageHead } from '../../parts/page/page-head.tsx'
import { Skeleton } from '../../parts/page/skeleton.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import { addressOf } from '../../shell/router.ts'
import { useCircuits } from './circuit.tsx'
import { DestinationTable } from './destination-table.tsx'
import { healthOf } from './health/health-pill.tsx'
import { type Destination, readRecords } from './records.ts'

type Shown = 'all' | 'bad' | 'off'

/** All destinations: how well each receives events, and how much within a day. */
export function DestinationList() {
  const { value, error } = usePolled('records', readRecords, 10_000).state.value
  const circuits = useCircuits()
  const [search, setSearch] = useState('')
  const [shown, setShown] = useState<Shown>('all')
  const destinations = value?.destinations ?? []
  const stateOf = ({ id, enabled }: Destination) => healthOf(enabled, circuits.of(id)).state
  const bad = destinations.filter((each) => stateOf(each) === 'bad')
  const on = destinations.filter(({ enabled }) => enabled).length
  const isShown = (each: Destination): boolean =>
    `${each.name} ${each.type}`.toLowerCase().includes(search.trim().toLowerCase()) &&
    (shown === 'all' || (shown === 'off' ? !each.enabled : stateOf(each) === 'bad'))
  return (
    <>
      <PageHead
        title="Destinations"
        note={
          value
            ? `${on} of ${destinations.length} are on${bad.length > 0 ? `, ${bad.length} of them ${bad.length === 1 ? 'fails' : 'fail'}` : ''}.`
            : ''
        }
        actions={
          <>
            <SearchField label="Name or type" value={search} onInput={setSearch} />
            <Segmented
              label="State"
              options={[
                { value: 'all', text: 'All' },
                { value: 'bad', text: 'Fail' },
                { value: 'off', text: 'Off' },
              ]}
              value={shown}
              onChange={setShown}
            />
            {allows('write') && allows('operate') ? (
              <a class="btn main" href={addressOf('/destinations/new')}>
                <Icon name="plus" />
                Add a destination
              </a>
            ) : null}
          </>
        }
      />
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {value === undefined ? (
        error ? null : (
          <Skeleton lines={6} />
        )
      ) : destinations.length === 0 ? (
        <EmptyState icon="send" title="There is no destination yet.">
          Events are kept in the log until there is one.
        </EmptyState>
      ) : (
        <DestinationTable records={value} rows={destinations.filter(isShown)} circuits={circuits} />
      )}
    </>
  )
}
