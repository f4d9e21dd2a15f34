import type { CatalogueModels } from '@sluice/http'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Count } from '../../parts/format/count.tsx'
import { Time } from '../../parts/format/time.tsx'
import { Notice } from '../../parts/notice.tsx'
import { addressOf, filters, path, setFilters } from '../../shell/router.ts'
import { Drift } from './drift.tsx'
import { Model } from './model.tsx'
import { Plans } from './plans.tsx'

const spans = { day: 86_400_000, week: 604_800_000 } as const

/** All events that were seen, or one of them. */
export function CatalogueView() {
  const [, id] = /^\/catalogue\/(.+)$/.exec(path.value) ?? []
  return id === undefined ? <Models /> : <Model key={id} id={decodeURIComponent(id)} />
}

function Models() {
  const { value, error } = usePolled(
    'models',
    (signal) => request<CatalogueModels>('/v2/catalogue/models', { signal }),
    10_000,
  ).state.value
  const { name = '', since, drift = '' } = filters.value
  const from = since === 'day' || since === 'week' ? Date.now() - spans[since] : 0
  const models = value?.models.filter(
    ({ event, type, createdAt }) =>
      `${type} ${event}`.toLowerCase().includes(name.toLowerCase()) && Date.parse(createdAt) >= from,
  )
  return (
    <>
      <fieldset class="row filters">
        <legend class="unseen">Filters</legend>
        <label>
          name
          <input type="search" value={name} onInput={(event) => setFilters({ name: event.currentTarget.value })} />
        </label>
        <label>
          new
          <select value={since ?? ''} onChange={(event) => setFilters({ since: event.currentTarget.value })}>
            <option value="">at any time</option>
            <option value="day">in the last day</option>
            <option value="week">in the last week</option>
          </select>
        </label>
        <label>
          changes since
          <input
            type="date"
            value={drift}
            max={new Date().toISOString().slice(0, 10)}
            onChange={(event) => setFilters({ drift: event.currentTarget.value })}
          />
        </label>
      </fieldset>
      {/^\d{4}-\d\d-\d\d$/.test(drift) ? <Drift key={drift} day={drift} /> : null}
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {models ? (
        <DataTable
          caption="Events that were seen, the newest first"
          rows={models}
          keyOf={({ id }) => id}
          empty="No such event was seen."
          columns={[
            {
              title: 'event',
              cell: ({ id, type, event }) => (
                <a href={addressOf(`/catalogue/${id}`)}>
                  {type} {event}
                </a>
              ),
            },
            { title: 'source', cell: ({ sourceId }) => sourceId },
            { title: 'events', isNumber: true, cell: ({ totalCount }) => <Count value={totalCount} /> },
            { title: 'keys', isNumber: true, cell: ({ schema }) => <Count value={Object.keys(schema).length} /> },
            { title: 'first', cell: ({ createdAt }) => <Time at={createdAt} /> },
            { title: 'last', cell: ({ lastSeen }) => <Time at={lastSeen} /> },
          ]}
        />
      ) : null}
      <Plans />
    </>
  )
}
