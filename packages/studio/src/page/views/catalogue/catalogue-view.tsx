import './catalogue.css'
import type { CatalogueDrift, CatalogueModels, TrackingPlans } from '@sluice/http'
import { usePolled } from '../../api/polled.ts'
import { readAll } from '../../api/read-all.ts'
import { request } from '../../api/request.ts'
import { Segmented } from '../../parts/fields/segmented.tsx'
import { Notice } from '../../parts/notice.tsx'
import { EmptyState } from '../../parts/page/empty-state.tsx'
import { PageHead } from '../../parts/page/page-head.tsx'
import { Skeleton } from '../../parts/page/skeleton.tsx'
import { addressOf, filters, path, setFilters } from '../../shell/router.ts'
import { Model } from './model.tsx'
import { filteredModels, ModelList } from './model-list.tsx'
import { Plans } from './plan/plans.tsx'

const dayMs = 86_400_000
const spans = { '1d': dayMs, '7d': 7 * dayMs, '30d': 30 * dayMs } as const
const spanOptions = [
  { value: '1d', text: '24 h' },
  { value: '7d', text: '7 d' },
  { value: '30d', text: '30 d' },
] as const

/** All events that were seen on the left, the keys of one on the right. */
export function CatalogueView() {
  const [, opened] = /^\/catalogue\/(.+)$/.exec(path.value) ?? []
  const { since = '', name = '' } = filters.value
  const span = spanOptions.find(({ value }) => value === since)?.value ?? '7d'
  const models = usePolled(
    'models',
    async (signal) => (await request<CatalogueModels>('/v2/catalogue/models', { signal })).models,
    10_000,
  ).state.value
  const drift = usePolled(
    span,
    (signal) => {
      const from = new Date(Date.now() - spans[span]).toISOString()
      return request<CatalogueDrift>(`/v2/catalogue/drift?since=${from}`, { signal })
    },
    30_000,
  ).state.value
  const plans = usePolled(
    'plans',
    async (signal) => (await request<TrackingPlans>('/v2/tracking-plans', { signal })).plans,
    10_000,
  ).state.value
  const { value: sources = [] } = usePolled(
    'sources',
    (signal) => readAll<{ readonly id: string; readonly name: string }>('/v2/sources', 'sources', signal),
    0,
  ).state.value
  const names = new Map(sources.map((source) => [source.id, source.name]))
  const changed = drift.value?.models ?? []
  const marks = new Map(
    changed
      .filter(({ isNew, newKeys, changedKeys }) => isNew || Object.keys({ ...newKeys, ...changedKeys }).length > 0)
      .map(({ model, isNew }) => [model.id, isNew ? ('new' as const) : ('changed' as const)]),
  )
  const all = models.value
  // Without a choice, what comes most often.
  const chosen = opened === undefined ? filteredModels(all ?? [], name)[0]?.id : decodeURIComponent(opened)
  const error = models.error ?? drift.error ?? plans.error
  return (
    <>
      <PageHead
        title="Catalogue"
        note={
          all === undefined
            ? 'Which events there are, what they look like, and how that changes.'
            : `${all.length === 1 ? '1 event was' : `${all.length} events were`} seen, ${marks.size} of them new or changed in the last ${spanOptions.find(({ value }) => value === span)?.text}.`
        }
        actions={
          <Segmented
            label="New or changed in"
            options={spanOptions}
            value={span}
            onChange={(value) => setFilters({ since: value })}
          />
        }
      />
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {all === undefined ? (
        error ? null : (
          <Skeleton isTall />
        )
      ) : all.length === 0 ? (
        <EmptyState
          icon="book-open"
          title="No event was seen yet"
          action={<a href={addressOf('/sources')}>Send events</a>}
        >
          The catalogue learns keys and types from the events that come in.
        </EmptyState>
      ) : (
        <div class="grid side-main catalogue">
          <ModelList models={all} chosen={chosen} marks={marks} names={names} />
          {chosen === undefined ? null : (
            <Model key={chosen} id={chosen} names={names} plans={plans.value ?? []} sinceMs={spans[span]} />
          )}
        </div>
      )}
      <Plans plans={plans.value ?? []} names={names} />
    </>
  )
}
