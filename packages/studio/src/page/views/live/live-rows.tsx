import { useEffect, useRef, useState } from 'preact/hooks'
import { durationText } from '../../parts/format/duration-text.ts'
import { EmptyState } from '../../parts/page/empty-state.tsx'
import { Pill } from '../../parts/signs/pill.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { addressOf, filters, setFilters } from '../../shell/router.ts'
import { nameIn, type WatchedPlaces } from '../watch/watched-places.ts'
import type { NumberedEntry } from './entry-buffer.ts'
import { outcomeWords } from './outcome-words.ts'

interface LiveRowsProps {
  readonly entries: readonly NumberedEntry[]
  readonly places: WatchedPlaces | undefined
  /** Id of the event whose journey is beside the rows. */
  readonly chosen: string | undefined
  readonly isRoomy: boolean
  readonly onAtTop: (isAtTop: boolean) => void
  /** Whether nothing has come, whatever the filters are. */
  readonly hasNone: boolean
}

/** Heights of rows in rem, so that large text fits. */
const rowRem = { compact: 1.875, roomy: 2.75 }

/** What happened to events, the newest first. */
export function LiveRows({ entries, places, chosen, isRoomy, onAtTop, hasNone }: LiveRowsProps) {
  const { box, heightPx } = useRest()
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  return (
    <div ref={box} class="live-rows">
      <div class="entry entry-head" aria-hidden="true">
        <span>Time</span>
        <span>Outcome</span>
        <span>Event</span>
        <span>Source</span>
        <span>At, and why</span>
        <span>Took</span>
      </div>
      <VirtualList
        label="Events, newest first"
        items={entries}
        rowPx={Math.round((isRoomy ? rowRem.roomy : rowRem.compact) * rem)}
        heightPx={heightPx}
        keyOf={({ number }) => number}
        row={(entry) => <Row entry={entry} places={places} isChosen={entry.messageId === chosen} />}
        onAtTop={onAtTop}
      />
      {entries.length > 0 ? null : (
        <EmptyState icon="radio" title={hasNone ? 'Waiting for events' : 'No event fits'}>
          {hasNone
            ? 'Events show up here as they are accepted and as they end at destinations.'
            : 'Of those that came lately, none has these words and filters. Enter in the search opens an event by its id.'}
        </EmptyState>
      )}
    </div>
  )
}

interface RowProps {
  readonly entry: NumberedEntry
  readonly places: WatchedPlaces | undefined
  readonly isChosen: boolean
}

function Row({ entry, places, isChosen }: RowProps) {
  const { at, outcome, type, event, messageId, reason, sourceId, destinationId, tookMs } = entry
  const { state, word } = outcomeWords[outcome] ?? { state: 'ink', word: outcome }
  return (
    <a
      class={`entry${isChosen ? ' chosen' : ''}`}
      href={addressOf(`/live/${encodeURIComponent(messageId)}`)}
      aria-current={isChosen ? 'true' : undefined}
      onClick={(click) => {
        if (click.ctrlKey || click.metaKey || click.shiftKey || !isWide()) return
        click.preventDefault()
        setFilters({ id: filters.value['id'] === messageId ? undefined : messageId })
      }}
    >
      <time dateTime={at} title={at}>
        {clock.format(Date.parse(at))}
      </time>
      <Pill state={state} isBare>
        {word}
      </Pill>
      <span>
        <b>{event || type}</b> {event ? <span class="hint">{type}</span> : null}
      </span>
      <span>{nameIn(places?.sources ?? [], sourceId)}</span>
      <span>
        {destinationId === undefined ? (
          <span class="hint">log</span>
        ) : (
          nameIn(places?.destinations ?? [], destinationId)
        )}{' '}
        {reason ? <span class={state === 'bad' || state === 'wait' ? `in ${state}` : 'hint'}>{reason}</span> : null}
      </span>
      <span class="hint">{tookMs === undefined ? '' : durationText(tookMs)}</span>
    </a>
  )
}

const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
})

/** Whether there is room for a journey beside the rows: else it is a page of its own. */
function isWide(): boolean {
  return innerWidth >= 64 * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
}

const leastPx = 320
/** Below the rows: the end of the panel and of the page. */
const belowPx = 60

/** Returns how high a list may be to end with the window. */
function useRest() {
  const box = useRef<HTMLDivElement>(null)
  const [heightPx, setHeight] = useState(leastPx)
  useEffect(() => {
    const measure = (): void => {
      const top = (box.current?.getBoundingClientRect().top ?? 0) + scrollY
      setHeight(Math.max(leastPx, Math.round(innerHeight - top - belowPx)))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    addEventListener('resize', measure)
    return () => {
      observer.disconnect()
      removeEventListener('resize', measure)
    }
  }, [])
  return { box, heightPx }
}
