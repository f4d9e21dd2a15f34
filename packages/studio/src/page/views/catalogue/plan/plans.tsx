import type { TrackingPlans } from '@sluice/http'
import { DataTable } from '../../../parts/data-table.tsx'
import { Count, countText } from '../../../parts/format/count.tsx'
import { Panel } from '../../../parts/page/panel.tsx'
import { addressOf } from '../../../shell/router.ts'

const unplannedTexts = { pass: 'pass', mark: 'are marked', drop: 'are dropped' } as const

/** The tracking plans of all sources, with how often each event violated them. Shows nothing where there is none. */
export function Plans({
  plans,
  names,
}: {
  readonly plans: TrackingPlans['plans']
  readonly names: ReadonlyMap<string, string>
}) {
  return (
    <>
      {plans.map(({ sourceId, onViolation, unplanned, unplannedEvents, events }) => (
        <Panel
          key={sourceId}
          title={`Tracking plan of ${names.get(sourceId) ?? sourceId}`}
          note={`Violations: ${onViolation}. Events that are not in it ${unplannedTexts[unplanned]}${unplanned === 'pass' ? '' : `: ${countText(unplannedEvents)} so far`}.`}
          isFlush
        >
          <DataTable
            caption={`Planned events of ${names.get(sourceId) ?? sourceId}, and their violations`}
            rows={events}
            keyOf={({ type, event }) => `${type} ${event}`}
            empty="The plan has no events."
            columns={[
              {
                title: 'Event',
                cell: ({ type, event }) => (
                  <a href={addressOf('/catalogue', { name: event || type })}>
                    {type} {event}
                  </a>
                ),
              },
              {
                title: 'Did not fit',
                isNumber: true,
                cell: ({ violations }) => (
                  <Count value={Object.values(violations).reduce((total, each) => total + each, 0)} />
                ),
              },
              {
                title: 'Why',
                cell: ({ violations }) =>
                  Object.entries(violations)
                    .map(([type, count]) => `${type} ${countText(count)}`)
                    .join(', '),
              },
            ]}
          />
        </Panel>
      ))}
    </>
  )
}
