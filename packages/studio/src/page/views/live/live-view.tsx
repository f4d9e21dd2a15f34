import './live.css'
import { useCallback, useState } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { countText } from '../../parts/format/count.tsx'
import { Notice } from '../../parts/notice.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { addressOf, filters, path, setFilters } from '../../shell/router.ts'
import { readSetup } from '../flow/read-flow.ts'
import { filtered, type NumberedEntry } from './entry-buffer.ts'
import { Journey } from './journey.tsx'
import { SendEvent } from './send-event.tsx'
import { useLiveEntries } from './use-live-entries.ts'

const outcomes = ['accepted', 'delivered', 'deferred', 'dropped', 'failed']
const types = ['identify', 'track', 'page', 'screen', 'group', 'alias']

/** The stream of events, or the journey of one of them. */
export function LiveView() {
  const [, messageId] = /^\/live\/(.+)$/.exec(path.value) ?? []
  return messageId === undefined ? <Stream /> : <Journey messageId={decodeURIComponent(messageId)} />
}

function Stream() {
  const [isPaused, setPaused] = useState(false)
  const [isAtTop, setAtTop] = useState(true)
  const setup = usePolled('setup', readSetup, 30_000).state.value.value
  // Who reads further down must not lose the place.
  const live = useLiveEntries(isPaused || !isAtTop)
  const given = filters.value
  const entries = filtered(live.entries, given)
  const onAtTop = useCallback(setAtTop, [])
  const sourceNames = new Map(setup?.sources.map(({ id, name }) => [id, name]))
  const destinationNames = new Map(setup?.destinations.map(({ id, name }) => [id, name]))
  return (
    <>
      <FindById />
      <SendEvent />
      <fieldset class="row filters">
        <legend class="unseen">Filters</legend>
        <Choice name="source" options={[...sourceNames]} />
        <Choice name="destination" options={[...destinationNames]} />
        <Choice name="type" options={types.map((each) => [each, each])} />
        <Choice name="outcome" options={outcomes.map((each) => [each, each])} />
        <label>
          name
          <input
            type="search"
            value={given['event'] ?? ''}
            onInput={(event) => setFilters({ event: event.currentTarget.value })}
          />
        </label>
        <button type="button" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
          {isPaused ? 'Continue' : 'Pause'}
        </button>
        <button type="button" onClick={live.clear}>
          Clear
        </button>
      </fieldset>
      {live.problem ? <Notice kind="bad">{live.problem} Trying again.</Notice> : null}
      <p class="hint" role="status">
        {live.isOpen ? 'Watching' : 'Connecting'} · {countText(live.seen)} came · {countText(live.leftOut)} left out ·{' '}
        {countText(entries.length)} shown{live.fresh > 0 ? ` · ${countText(live.fresh)} new` : ''}
      </p>
      <VirtualList
        label="Events, newest first"
        items={entries}
        rowPx={34}
        heightPx={560}
        keyOf={({ number }) => number}
        row={(entry) => (
          <Row
            entry={entry}
            place={
              (entry.destinationId ? destinationNames.get(entry.destinationId) : sourceNames.get(entry.sourceId)) ??
              entry.destinationId ??
              entry.sourceId
            }
          />
        )}
        onAtTop={onAtTop}
      />
      {entries.length === 0 ? (
        <p class="hint">
          Nothing has come since this page was opened. Events show up here as they are accepted and as they end at
          destinations.
        </p>
      ) : null}
    </>
  )
}

function FindById() {
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault()
        const id = String(new FormData(event.currentTarget).get('messageId') ?? '').trim()
        if (id !== '') location.assign(addressOf(`/live/${encodeURIComponent(id)}`))
      }}
    >
      <label>
        Find an event by its messageId
        <input name="messageId" spellcheck={false} />
      </label>
      <button type="submit">Show its journey</button>
    </form>
  )
}

function Choice({
  name,
  options,
}: {
  readonly name: string
  readonly options: readonly (readonly [string, string])[]
}) {
  return (
    <label>
      {name}
      <select value={filters.value[name] ?? ''} onChange={(event) => setFilters({ [name]: event.currentTarget.value })}>
        <option value="">all</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

function Row({ entry, place }: { readonly entry: NumberedEntry; readonly place: string }) {
  const { at, outcome, type, event, messageId, stage, reason } = entry
  return (
    <a class="entry" href={addressOf(`/live/${encodeURIComponent(messageId)}`)}>
      <time dateTime={at}>{at.slice(11, 23)}</time>
      <span class={`outcome ${outcome}`}>{outcome}</span>
      <span>{place}</span>
      <span>
        {type} {event ? <b>{event}</b> : null}
      </span>
      <span class="hint">{reason ? `${stage}: ${reason}` : ''}</span>
    </a>
  )
}
