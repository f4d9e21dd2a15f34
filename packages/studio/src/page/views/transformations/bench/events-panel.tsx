import { useState } from 'preact/hooks'
import { allows } from '../../../api/session.ts'
import { durationText } from '../../../parts/format/duration-text.ts'
import { Notice } from '../../../parts/notice.tsx'
import { Icon } from '../../../parts/signs/icon.tsx'
import { filters, setFilters } from '../../../shell/router.ts'
import { EventOutcome } from './event-outcome.tsx'
import { eventRow } from './event-row.ts'
import type { Bench } from './use-bench.ts'
import type { Ran } from './use-run.ts'

/** Events to try the code on, what became of each, and what the code made of the chosen one. */
export function EventsPanel({ bench }: { readonly bench: Bench }) {
  const { text, setText, ran, runProblem, isStale, isRunning, takeRecorded, action } = bench
  const [isEdited, setEdited] = useState(false)
  const events = ran?.events ?? []
  const chosen = events.findIndex((event, n) => idOf(event, n) === filters.value['event'])
  const index = chosen >= 0 ? chosen : Math.min(mostTelling(ran), events.length - 1)
  return (
    <section class="panel events-panel" aria-label="Events, and what the code returns for them">
      <header class="frame-head">
        <b>{ran === undefined ? 'Events' : `${events.length} ${events.length === 1 ? 'event' : 'events'}`}</b>
        <span class="row">
          {allows('operate') ? (
            <button
              type="button"
              class="ghost square small"
              aria-label="Take recorded events, personal data masked"
              title="Take recorded events, personal data masked"
              disabled={action.isBusy}
              onClick={takeRecorded}
            >
              <Icon name="refresh-cw" />
            </button>
          ) : null}
          <button type="button" class="ghost small" aria-expanded={isEdited} onClick={() => setEdited(!isEdited)}>
            Edit events
          </button>
        </span>
      </header>
      {isEdited ? (
        <textarea
          class="mono"
          aria-label="Events"
          rows={10}
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      ) : (
        <ul class="event-list" aria-label="Events">
          {events.map((event, n) => {
            const { name, mark, state, note } = eventRow(event, n, ran?.draft)
            return (
              <li key={n} class={state}>
                <button
                  type="button"
                  class="bare"
                  aria-pressed={n === index}
                  onClick={() => setFilters({ event: idOf(event, n) })}
                >
                  <i class="dot" />
                  <span>
                    {name} <small>{mark}</small>
                  </span>
                  <small class={state === 'bad' ? 'in bad' : ''}>{note}</small>
                </button>
              </li>
            )
          })}
        </ul>
      )}
      {runProblem === undefined ? null : <Notice kind="bad">{runProblem}</Notice>}
      {ran === undefined || index < 0 ? null : <EventOutcome key={index} bench={bench} ran={ran} index={index} />}
      <footer class="frame-foot">
        <span role="status">{isRunning ? 'Running …' : <Summary ran={ran} isStale={isStale} />}</span>
        {ran === undefined ? null : <span>{countsText(ran)}</span>}
      </footer>
    </section>
  )
}

/** Returns what names an event in the address: its own id where it has one, else its place. */
const idOf = ({ messageId }: Ran['events'][number], n: number): string =>
  typeof messageId === 'string' ? messageId : String(n + 1)

/** Returns the event to look at first: one that failed, or that the code lets pass. */
function mostTelling(ran: Ran | undefined): number {
  const kinds = ran?.draft.outcomes.map(({ kind }) => kind) ?? []
  return Math.max(0, kinds.includes('fail') ? kinds.indexOf('fail') : kinds.indexOf('pass'))
}

function Summary({ ran, isStale }: { readonly ran: Ran | undefined; readonly isStale: boolean }) {
  if (ran === undefined) return 'Not run yet.'
  if (isStale) return 'Changed since this run: press Run.'
  const { problems, runMs } = ran.draft
  const time = `in ${durationText(runMs)}, in this page`
  return problems.length === 0 ? `No event failed, ${time}.` : `Run ${time}.`
}

function countsText({ draft: { outcomes } }: Ran): string {
  const count = (kind: string): number => outcomes.filter((outcome) => outcome.kind === kind).length
  const parts = [`${count('pass')} pass`, `${count('drop')} filtered`, `${count('fail')} failed`]
  return parts.filter((part) => !part.startsWith('0 ')).join(', ')
}
