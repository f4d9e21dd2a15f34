import type { CatalogueDetail, CatalogueValues, TrackingPlans } from '@sluice/http'
import { useState } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { JsonTree } from '../../parts/code/json-tree.tsx'
import { Notice } from '../../parts/notice.tsx'
import { EmptyState } from '../../parts/page/empty-state.tsx'
import { Skeleton } from '../../parts/page/skeleton.tsx'
import { Tabs } from '../../parts/page/tabs.tsx'
import { WhereItWent } from '../sources/outcomes/where-it-went.tsx'
import { DriftPanel } from './drift-panel.tsx'
import { eventDays } from './event-days.ts'
import { keyRows } from './keys/key-rows.ts'
import { KeyTable } from './keys/key-table.tsx'
import { neverSeen } from './keys/plan-fit.ts'
import { shownKeys } from './keys/shown-keys.ts'
import { modelChanges } from './model-changes.ts'
import { ModelHead } from './model-head.tsx'
import { PlanPanel } from './plan/plan-panel.tsx'
import { useKeyUses } from './usage/use-key-uses.ts'
import { UsedBy } from './usage/used-by.tsx'

interface ModelProps {
  readonly id: string
  readonly names: ReadonlyMap<string, string>
  readonly plans: TrackingPlans['plans']
  /** How far back changes are marked as new, in milliseconds. */
  readonly sinceMs: number
}

const noValues: CatalogueValues = { samples: [], frequentValues: {} }

/** One event: its keys with type, presence, values, personal data and plan; samples; how it changed. */
export function Model({ id, names, plans, sinceMs }: ModelProps) {
  const base = `/v2/catalogue/models/${encodeURIComponent(id)}`
  const { value, error } = usePolled(base, (signal) => request<CatalogueDetail>(base, { signal }), 10_000).state.value
  const mayOperate = allows('operate')
  const read = usePolled(
    `${base}/values`,
    async (signal) => (mayOperate ? request<CatalogueValues>(`${base}/values`, { signal }) : noValues),
    0,
  ).state.value
  const [tab, setTab] = useState<'keys' | 'samples' | 'uses'>('keys')
  const uses = useKeyUses(value?.model.sourceId, value === undefined ? [] : keyRows(value))
  if (value === undefined) return error ? <Notice kind="bad">{error.message}</Notice> : <Skeleton lines={6} />
  const { model, versions } = value
  const values = read.value ?? noValues
  const plan = plans.find(({ sourceId }) => sourceId === model.sourceId)
  const planned = plan?.events.find(({ type, event }) => type === model.type && event === model.event)
  const keys = shownKeys({ detail: value, values, planned: planned?.schema, since: Date.now() - sinceMs })
  const never = planned
    ? neverSeen(
        planned.schema,
        keys.map(({ row }) => row),
      )
    : []
  const days = eventDays(value.days, Date.now())
  const name = model.event || model.type
  const sourceName = names.get(model.sourceId) ?? model.sourceId
  const misfits = never.length + keys.filter(({ fit }) => fit?.kind === 'missing' || fit?.kind === 'type').length
  return (
    <div class="stack">
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      <section class="panel" aria-label={`${model.type} ${model.event}`.trim()}>
        <ModelHead
          base={base}
          model={model}
          keys={keys}
          sourceName={sourceName}
          dayCounts={days.counts}
          isPlanned={planned !== undefined}
          misfits={misfits}
        />
        {read.error ? <Notice kind="bad">{read.error.message}</Notice> : null}
        <Tabs
          label="Parts of the event"
          kind="inset"
          value={tab}
          onChange={setTab}
          tabs={[
            {
              id: 'keys',
              title: 'Keys',
              count: String(keys.length),
              content: () => <KeyTable name={name} keys={keys} total={model.totalCount} />,
            },
            {
              id: 'samples',
              title: 'Samples',
              count: String(values.samples.length),
              content: () => <Samples samples={values.samples} mayOperate={mayOperate} />,
            },
            {
              id: 'uses',
              title: 'Used by',
              ...(uses.value ? { count: String(uses.value.length) } : {}),
              content: () =>
                uses.error ? (
                  <Notice kind="bad">{uses.error.message}</Notice>
                ) : uses.value === undefined ? (
                  <Skeleton lines={3} />
                ) : (
                  <UsedBy uses={uses.value} />
                ),
            },
          ]}
        />
        <footer class="panel-foot">
          <span>
            Values are estimates over all events that were seen. Personal data is masked, and its values are not kept.
          </span>
        </footer>
      </section>
      {model.sourceId === '' ? null : (
        <WhereItWent key={id} sourceId={model.sourceId} event={{ type: model.type, event: model.event }} />
      )}
      <div class={planned ? 'grid two stretch' : 'grid'}>
        <DriftPanel name={name} changes={modelChanges(versions)} days={days} />
        {plan && planned ? (
          <PlanPanel
            plan={plan}
            planned={planned}
            keys={keys}
            never={never}
            total={model.totalCount}
            sourceName={sourceName}
          />
        ) : null}
      </div>
    </div>
  )
}

/** Samples that are shown. */
const samplesMax = 5

function Samples({
  samples,
  mayOperate,
}: {
  readonly samples: CatalogueValues['samples']
  readonly mayOperate: boolean
}) {
  if (samples.length === 0)
    return (
      <EmptyState icon="book-open" title="No samples">
        {mayOperate ? 'None was kept of this event.' : 'Samples and values need the scope operate.'}
      </EmptyState>
    )
  return (
    <div class="panel-body stack samples">
      <p class="help">Samples, personal data masked: {Math.min(samplesMax, samples.length)} chosen at random.</p>
      {samples.slice(0, samplesMax).map((sample, n) => (
        <JsonTree key={JSON.stringify(sample)} label={`Sample ${n + 1}, masked`} value={sample} closed={['context']} />
      ))}
    </div>
  )
}
