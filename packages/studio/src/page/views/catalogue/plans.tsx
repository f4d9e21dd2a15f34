import type { TrackingPlans } from '@sluice/http'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Count, countText } from '../../parts/format/count.tsx'
import { Notice } from '../../parts/notice.tsx'
import { addressOf } from '../../shell/router.ts'

const read = async (signal: AbortSignal) => (await request<TrackingPlans>('/v2/tracking-plans', { signal })).plans

/** The tracking plans of all sources, with how often each event violated them. Shows nothing where there is none. */
export function Plans() {
  const { value, error } = usePolled('plans', read, 10_000).state.value
  if (error) return <Notice kind="bad">{error.message}</Notice>
  return (
    <>
      {(value ?? []).map(({ sourceId, onViolation, unplanned, unplannedEvents, events }) => (
        <section key={sourceId}>
          <h2>Tracking plan of {sourceId}</h2>
          <p class="hint">
            Violations: {onViolation}. Events that are not in it: {unplanned}
            {unplanned === 'pass' ? '' : `, ${countText(unplannedEvents)} so far`}.
          </p>
          <DataTable
            caption={`Planned events of ${sourceId}, and their violations`}
            rows={events}
            keyOf={({ type, event }) => `${type} ${event}`}
            empty="The plan has no events."
            columns={[
              {
                title: 'event',
                cell: ({ type, event }) => (
                  <a href={addressOf('/catalogue', { name: `${type} ${event}`.trim() })}>
                    {type} {event}
                  </a>
                ),
              },
              {
                title: 'violations',
                isNumber: true,
                cell: ({ violations }) => (
                  <Count value={Object.values(violations).reduce((total, each) => total + each, 0)} />
                ),
              },
              {
                title: 'by type',
                cell: ({ violations }) =>
                  Object.entries(violations)
                    .map(([type, count]) => `${type} ${countText(count)}`)
                    .join(', '),
              },
            ]}
          />
        </section>
      ))}
    </>
  )
}
