import { TimeChart } from '../../parts/charts/time/time-chart.tsx'
import { Time } from '../../parts/format/time.tsx'
import { Panel } from '../../parts/page/panel.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import type { EventDays } from './event-days.ts'
import type { ModelChange } from './model-changes.ts'

interface DriftPanelProps {
  readonly name: string
  readonly changes: readonly ModelChange[]
  readonly days: EventDays
}

/** Changes that are listed; the rest is counted. */
const shownMax = 12
const flagsMax = 6

/** How the shape of an event changed, as flags over its events a day, and as a list. */
export function DriftPanel({ name, changes, days: { slots, counts } }: DriftPanelProps) {
  const count = changes.length - 1
  const shown = changes.slice(0, shownMax)
  const flagged = shown.filter(({ at }) => Date.parse(at) >= slots.from).slice(0, flagsMax)
  return (
    <Panel
      title="Drift"
      note={count <= 0 ? 'It has not changed since it was first seen' : `${count} changes since it was first seen`}
      isFlush
    >
      <div class="panel-body">
        <TimeChart
          label={`Events ${name} a day, and when their shape changed`}
          size="low"
          slots={slots}
          series={[{ name: 'events a day', state: 'good', kind: 'area', values: counts }]}
          flags={flagged.map(({ at, text, state }) => ({ at: Date.parse(at), text, state }))}
        />
      </div>
      <ol class="list">
        {shown.map((change) => {
          const { at, state, icon, text } = change
          return (
            <li key={`${at} ${text}`} class={state}>
              {flagged.includes(change) ? (
                <i class={`flag-no ${state}`}>{flagged.indexOf(change) + 1}</i>
              ) : (
                <span class="mark">
                  <Icon name={icon} />
                </span>
              )}
              <span>{text}</span>
              <small>
                <Time at={at} />
              </small>
            </li>
          )
        })}
        {changes.length > shownMax ? <li>and {changes.length - shownMax} earlier</li> : null}
      </ol>
    </Panel>
  )
}
