import type { CatalogueDetail, CatalogueValues } from '@sluice/http'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Count } from '../../parts/format/count.tsx'
import { Time } from '../../parts/format/time.tsx'
import { JsonBlock } from '../../parts/json-block.tsx'
import { Notice } from '../../parts/notice.tsx'
import { addressOf } from '../../shell/router.ts'
import { PlanEntry } from './plan-entry.tsx'
import { versionChanges } from './version-changes.ts'

/** Frequent values that are shown of each key. */
const valuesShown = 5

/** One event: its keys and how often they occur, its versions and what changed, samples and values. */
export function Model({ id }: { readonly id: string }) {
  const base = `/v2/catalogue/models/${encodeURIComponent(id)}`
  const { value, error } = usePolled(base, (signal) => request<CatalogueDetail>(base, { signal }), 10_000).state.value
  return (
    <>
      <p>
        <a href={addressOf('/catalogue')}>All events</a>
      </p>
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {value ? <Detail detail={value} /> : null}
      {allows('operate') ? <Values base={base} /> : null}
      {value ? <PlanEntry base={base} model={value.model} /> : null}
    </>
  )
}

function Detail({ detail: { model, keyCounts, columns, versions } }: { readonly detail: CatalogueDetail }) {
  const share = (count: number): string =>
    model.totalCount === 0 ? '' : `${Math.round((count / model.totalCount) * 1_000) / 10} %`
  return (
    <>
      <h2>
        {model.type} {model.event}
      </h2>
      <p>
        <Count value={model.totalCount} /> events from {model.sourceId || 'a source that is gone'}, the last{' '}
        <Time at={model.lastSeen} />. <a href={addressOf('/live', { event: model.event, type: model.type })}>Live</a>
      </p>
      <div class="columns">
        <DataTable
          caption="Keys, and in which share of events they are"
          rows={Object.entries(model.schema)}
          keyOf={([path]) => path}
          empty="It has no keys."
          columns={[
            {
              title: 'key path',
              cell: ([path]) => (
                <>
                  <code>{path}</code>
                  {columns[path] !== undefined && <span class="hint"> in warehouses also {columns[path]}</span>}
                </>
              ),
            },
            { title: 'type', cell: ([, type]) => type },
            { title: 'in', isNumber: true, cell: ([path]) => share(keyCounts[path] ?? 0) },
          ]}
        />
        <DataTable
          caption="Versions, the newest first"
          rows={versions.map((version, n) => ({ version, changes: versionChanges(version, versions[n + 1]) }))}
          keyOf={({ version }) => version.id}
          empty="There is none."
          columns={[
            { title: 'first seen', cell: ({ version }) => <Time at={version.firstSeen} /> },
            { title: 'events', isNumber: true, cell: ({ version }) => <Count value={version.totalCount} /> },
            { title: 'against the version before', cell: ({ changes }) => changes },
          ]}
        />
      </div>
    </>
  )
}

function Values({ base }: { readonly base: string }) {
  const { value, error } = usePolled(
    `${base}/values`,
    (signal) => request<CatalogueValues>(`${base}/values`, { signal }),
    0,
  ).state.value
  if (error) return <Notice kind="bad">{error.message}</Notice>
  if (value === undefined) return null
  return (
    <div class="columns">
      <DataTable
        caption="Frequent values"
        rows={Object.entries(value.frequentValues)}
        keyOf={([path]) => path}
        empty="No value is frequent."
        columns={[
          { title: 'key path', cell: ([path]) => <code>{path}</code> },
          {
            title: 'values',
            cell: ([, values]) =>
              values
                .slice(0, valuesShown)
                .map(({ value: text, share }) => `${text} (${Math.round(share * 100)} %)`)
                .join(', '),
          },
        ]}
      />
      <section>
        <h3>Samples, personal data masked</h3>
        <JsonBlock label="Samples" value={value.samples} />
      </section>
    </div>
  )
}
