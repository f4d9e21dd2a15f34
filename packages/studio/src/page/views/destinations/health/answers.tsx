import { Meter } from '../../../parts/charts/meter.tsx'
import { countText } from '../../../parts/format/count.tsx'
import { Panel } from '../../../parts/page/panel.tsx'
import { Tag } from '../../../parts/signs/tag.tsx'
import type { History } from './history.ts'

/** Statuses that are listed: those that were answered most. */
const answersMax = 8

/** What a destination answered, by status. */
export function Answers({ history, id }: { readonly history: History; readonly id: string }) {
  const byReason = new Map<string, number>()
  for (const { destinationId, kind, reason = '', total } of history.series)
    if (destinationId === id && kind === 'answered') byReason.set(reason, (byReason.get(reason) ?? 0) + total)
  const answers = [...byReason].sort((a, b) => b[1] - a[1]).slice(0, answersMax)
  const most = Math.max(1, ...answers.map(([, count]) => count))
  return (
    <Panel title="What it answered" note="Requests by status; bars are logarithmic">
      {answers.length === 0 ? <p class="soft">No request was answered in this time.</p> : null}
      <ul class="bars-list">
        {answers.map(([status, count]) => {
          const { state, text } = answerOf(status)
          return (
            <li key={status}>
              <span>
                <Tag state={state} isMono>
                  {status}
                </Tag>{' '}
                <span class="soft">{text}</span>
              </span>
              <b>{countText(count)}</b>
              <Meter share={Math.log10(count + 1) / Math.log10(most + 1)} state={state} />
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}

/** Returns what a status means for the events of a request. */
function answerOf(status: string) {
  if (status === 'network') return { state: 'bad', text: 'no answer' } as const
  if (status.startsWith('2')) return { state: 'good', text: 'accepted' } as const
  if (status === '429') return { state: 'wait', text: 'too many requests' } as const
  if (status.startsWith('5')) return { state: 'wait', text: 'it failed; tried again' } as const
  return { state: 'bad', text: 'refused' } as const
}
