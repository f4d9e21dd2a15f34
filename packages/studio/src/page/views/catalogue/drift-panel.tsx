import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { TimeChart } from '../../parts/charts/time/time-chart.tsx'
import { Time } from '../../parts/format/time.tsx'
import { Panel } from '../../parts/page/panel.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import type { ModelChange } from './model-changes.ts'

/** `GET /v2/history`, as far as it is drawn here. */
interface History {
  readonly since: string
  readonly everyMs: number
  readonly workspaces: readonly {
    readonly series: readonly {
      readonly sourceId?: string
      readonly destinationId?: string
      readonly kind: string
      readonly counts: readonly number[]
    }[]
  }[]
}

interface DriftPanelProps {
  readonly changes: readonly ModelChange[]
  readonly source: { readonly id: string; readonly name: string } | undefined
  readonly sinceMs: number
  readonly hasHistory: boolean
}

/** Changes that are listed; the rest is counted. */
const shownMax = 12
const flagsMax = 6

/** How the shape of an event changed, as flags over the events of its source, and as a list. */
export function DriftPanel({ changes, source, sinceMs, hasHistory }: DriftPanelProps) {
  const count = changes.length - 1
  const shown = changes.slice(0, shownMax)
  const flagged = shown.filter(({ at }) => Date.parse(at) >= Date.now() - sinceMs).slice(0, flagsMax)
  return (
    <Panel
      title="Drift"
      note={count <= 0 ? 'It has not changed since it was first seen' : `${count} changes since it was first seen`}
      isFlush
    >
      {hasHistory && source ? <SourceChart source={source} sinceMs={sinceMs} flags={flagged} /> : null}
      <ol class="list">
        {shown.map((change) => {
          const { at, state, icon, text } = change
          return (
            <li key={`${at} ${text}`} class={state}>
              {hasHistory && flagged.includes(change) ? (
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

interface SourceChartProps {
  readonly source: { readonly id: string; readonly name: string }
  readonly sinceMs: number
  readonly flags: readonly ModelChange[]
}

function SourceChart({ source, sinceMs, flags }: SourceChartProps) {
  const { value } = usePolled(
    `history ${source.id} ${sinceMs}`,
    (signal) => {
      const since = new Date(Date.now() - sinceMs).toISOString()
      const query = new URLSearchParams({ since, until: new Date().toISOString() })
      return request<History>(`/v2/history?${query}`, { signal })
    },
    60_000,
  ).state.value
  const accepted = value?.workspaces[0]?.series.find(
    ({ kind, sourceId, destinationId }) => kind === 'accepted' && sourceId === source.id && destinationId === undefined,
  )
  if (value === undefined || accepted === undefined) return null
  return (
    <div class="panel-body">
      <TimeChart
        label={`Events of ${source.name}, all kinds, and when the shape of this one changed`}
        size="low"
        slots={{ from: Date.parse(value.since), everyMs: value.everyMs, count: accepted.counts.length }}
        series={[{ name: `events of ${source.name}`, state: 'good', kind: 'area', values: accepted.counts }]}
        flags={flags.map(({ at, text, state }) => ({ at: Date.parse(at), text, state }))}
      />
    </div>
  )
}
