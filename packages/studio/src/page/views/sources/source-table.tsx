import type { CatalogueModels, TrackingPlans } from '@sluice/http'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { Spark } from '../../parts/charts/spark.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Count } from '../../parts/format/count.tsx'
import { EmptyState } from '../../parts/page/empty-state.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import { Pill } from '../../parts/signs/pill.tsx'
import { addressOf } from '../../shell/router.ts'
import { countsOf, type History, totalOf, useHistory } from '../destinations/health/history.ts'
import type { Records, Source } from '../destinations/records.ts'
import { PlanVerdict } from './plan-verdict.tsx'
import { WriteKeyCell } from './write-key-cell.tsx'

/** All sources, with what they sent within a day, and where it goes. */
export function SourceTable({ records: { sources, destinations, connections } }: { readonly records: Records }) {
  const history = useHistory('24h')
  const known = usePolled('catalogue of sources', readCatalogue, 30_000).state.value.value
  if (sources.length === 0)
    return (
      <EmptyState icon="log-in" title="There is no source yet.">
        Add one: it gets a write key, and a snippet for each SDK.
      </EmptyState>
    )
  const receiversOf = ({ id }: Source): string => {
    const receivers = destinations.filter((each) =>
      connections.some(({ sourceId, destinationId }) => sourceId === id && destinationId === each.id),
    )
    if (receivers.length <= 2) return receivers.map(({ name }) => name).join(', ') || 'nothing'
    return receivers.length === destinations.length ? 'all destinations' : `${receivers.length} destinations`
  }
  const total = (source: Source, kind: string) =>
    history === undefined ? '' : <Count value={totalOf(history, isOf(source, kind))} />
  return (
    <section class="panel" aria-label="All sources">
      <DataTable
        caption="The last 24 hours"
        rows={sources}
        keyOf={({ id }) => id}
        empty=""
        columns={[
          {
            title: 'Source',
            cell: ({ id, name, managedBy }) => (
              <span class="cell">
                <span class="mark">
                  <Icon name="log-in" />
                </span>
                <span>
                  <a href={addressOf(`/sources/${encodeURIComponent(id)}`)}>{name}</a>
                  <small>{managedBy === 'file' ? 'workspace file' : 'API or studio'}</small>
                </span>
              </span>
            ),
          },
          { title: 'State', cell: (source) => <SourceState source={source} history={history} /> },
          {
            title: 'Received',
            cell: (source) =>
              history ? (
                <span class="cell graph">
                  <Spark values={countsOf(history, isOf(source, 'received'))} />
                </span>
              ) : null,
          },
          { title: 'Events', isNumber: true, cell: (source) => total(source, 'received') },
          { title: 'Suppressed', isNumber: true, cell: (source) => total(source, 'suppressed') },
          {
            title: 'Refused',
            isNumber: true,
            cell: (source) => {
              const refused = history === undefined ? 0 : totalOf(history, isOf(source, 'rejected'))
              return refused === 0 ? total(source, 'rejected') : <span class="in bad">{total(source, 'rejected')}</span>
            },
          },
          {
            title: 'Kinds of events',
            cell: ({ id }) => {
              const kinds = known?.models.filter(({ sourceId }) => sourceId === id).length
              if (!kinds) return kinds === undefined ? '' : <span class="soft">none</span>
              return (
                <a href={addressOf('/catalogue')}>
                  {kinds} {kinds === 1 ? 'kind' : 'kinds'}
                </a>
              )
            },
          },
          {
            title: 'Plan',
            cell: ({ id }) =>
              known ? <PlanVerdict plan={known.plans.find(({ sourceId }) => sourceId === id)} /> : null,
          },
          { title: 'Sends to', cell: (source) => receiversOf(source) },
          { title: 'Write key', kind: 'fit', cell: (source) => <WriteKeyCell source={source} /> },
        ]}
      />
    </section>
  )
}

/** What the catalogue has of the events of sources, and the plans that these should fit. */
async function readCatalogue(signal: AbortSignal) {
  const [{ models }, { plans }] = await Promise.all([
    request<CatalogueModels>('/v2/catalogue/models', { signal }),
    request<TrackingPlans>('/v2/tracking-plans', { signal }),
  ])
  return { models, plans }
}

const isOf =
  ({ id }: Source, kind: string) =>
  (series: History['series'][number]): boolean =>
    series.sourceId === id && series.destinationId === undefined && series.kind === kind

interface SourceStateProps {
  readonly source: Source
  readonly history: History | undefined
}

/** Whether events come from a source. */
function SourceState({ source, history }: SourceStateProps) {
  if (!source.enabled) return <Pill state="idle">Off</Pill>
  if (history === undefined) return <Pill state="ink">On</Pill>
  const received = totalOf(history, isOf(source, 'received'))
  return received > 0 ? <Pill state="good">Sends</Pill> : <Pill state="wait">Nothing came within a day</Pill>
}
