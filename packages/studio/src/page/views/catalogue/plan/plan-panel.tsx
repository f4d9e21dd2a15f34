import type { TrackingPlans } from '@sluice/http'
import { Meter } from '../../../parts/charts/meter.tsx'
import { countText } from '../../../parts/format/count.tsx'
import { Panel } from '../../../parts/page/panel.tsx'
import type { ShownKey } from '../keys/key-table.tsx'
import { AllowButtons } from './allow-buttons.tsx'
import { deeds, PlanSwitch } from './plan-switch.tsx'
import { usePlannedSource } from './planned-source.ts'

type Plan = TrackingPlans['plans'][number]

interface PlanPanelProps {
  readonly plan: Plan
  readonly planned: Plan['events'][number]
  readonly keys: readonly ShownKey[]
  /** Required keys that no event had. */
  readonly never: readonly string[]
  readonly total: number
  readonly sourceName: string
}

interface Misfit {
  readonly key: string
  readonly text: string
  readonly note: string
  readonly count: number
}

/** What of an event does not fit the plan of its source, by key. */
export function PlanPanel({ plan, planned, keys, never, total, sourceName }: PlanPanelProps) {
  const edited = usePlannedSource(plan.sourceId)
  const misfits = [
    ...never.map((key): Misfit => ({ key, text: 'never came', note: 'required', count: total })),
    ...keys.flatMap(({ row, fit }): readonly Misfit[] => {
      const key = row.path.join('.')
      if (fit?.kind === 'missing') return [{ key, text: 'is missing', note: 'required', count: fit.count }]
      if (fit?.kind !== 'type') return []
      return [{ key, text: `is ${fit.found}`, note: `${fit.wanted} was planned`, count: fit.count }]
    }),
  ].sort((a, b) => b.count - a.count)
  const counted = Object.entries(planned.violations)
  return (
    <Panel
      title={`Plan of ${sourceName}`}
      note={deeds[plan.onViolation]}
      foot={
        <span>
          {counted.length === 0
            ? 'Since there is a plan, every event of this kind fitted.'
            : `Since there is a plan: ${counted.map(([type, count]) => `${type} ${countText(count)}`).join(', ')}`}
        </span>
      }
    >
      <PlanSwitch plan={plan} edited={edited} sourceName={sourceName} />
      {misfits.length === 0 ? (
        <p>All keys that were seen fit.</p>
      ) : (
        <ul class="bars-list">
          {misfits.map(({ key, text, note, count }) => (
            <li key={`${key} ${text}`}>
              <span>
                <code>{key}</code> {text}
                <small>{note}</small>
              </span>
              <b>{countText(count)}</b>
              <Meter share={total === 0 ? 0 : count / total} state="bad" />
            </li>
          ))}
        </ul>
      )}
      <AllowButtons edited={edited} planned={planned} keys={keys} />
      <p class="help">Bars are shares of all {countText(total)} events that were seen, those before the plan, too.</p>
    </Panel>
  )
}
