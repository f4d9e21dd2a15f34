import './live.css'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { Segmented } from '../../parts/fields/segmented.tsx'
import { countText } from '../../parts/format/count.tsx'
import { Notice } from '../../parts/notice.tsx'
import { PageHead } from '../../parts/page/page-head.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import { Keys } from '../../parts/signs/keys.tsx'
import { Pill } from '../../parts/signs/pill.tsx'
import { filters, path, setFilters } from '../../shell/router.ts'
import { readWatchedPlaces } from '../watch/watched-places.ts'
import { filtered, type NumberedEntry } from './entry-buffer.ts'
import { JourneyPage, JourneyPanel } from './journey-panel.tsx'
import { LiveFilters } from './live-filters.tsx'
import { LiveRows } from './live-rows.tsx'
import { LiveStrip } from './live-strip.tsx'
import { SendEvent } from './send-event.tsx'
import { useLiveEntries } from './use-live-entries.ts'

const placesEveryMs = 30_000

/** The stream of events with the journey of one beside it, or a journey as a page. */
export function LiveView() {
  const [, messageId] = /^\/live\/(.+)$/.exec(path.value) ?? []
  return messageId === undefined ? <Stream /> : <JourneyPage messageId={decodeURIComponent(messageId)} />
}

function Stream() {
  const [isPaused, setPaused] = useState(false)
  const [isAtTop, setAtTop] = useState(true)
  const [isSending, setSending] = useState(false)
  const places = usePolled('live-places', readWatchedPlaces, placesEveryMs).state.value.value
  // Who reads further down must not lose the place.
  const live = useLiveEntries(isPaused || !isAtTop)
  const onAtTop = useCallback(setAtTop, [])
  useSpace(() => setPaused((was) => !was))
  const given = filters.value
  const entries = filtered(live.entries, given)
  const { id: chosen, rows: density = 'compact' } = given
  return (
    <>
      <PageHead
        title="Live events"
        note="What happens to events now. Choose one to see its journey."
        state={
          <span role="status">
            <Pill state={live.isOpen ? 'good' : 'wait'} isLive={live.isOpen && !isPaused}>
              {!live.isOpen ? 'Connecting' : isPaused ? 'Paused' : `Watching, ${rateOf(live.entries)} a second`}
            </Pill>
          </span>
        }
        actions={
          <>
            <button
              type="button"
              aria-pressed={isPaused}
              aria-keyshortcuts="Space"
              onClick={() => setPaused(!isPaused)}
            >
              <Icon name={isPaused ? 'play' : 'pause'} />
              {isPaused ? 'Continue' : 'Pause'}
              <Keys names={['Space']} />
            </button>
            <button type="button" aria-expanded={isSending} onClick={() => setSending(!isSending)}>
              <Icon name="send" />
              Send an event
            </button>
            <button type="button" class="ghost" onClick={live.clear}>
              Clear
            </button>
          </>
        }
      />
      {isSending ? <SendEvent /> : null}
      <LiveFilters
        places={places}
        onSearch={() => {
          const text = given['q']?.trim() ?? ''
          if (text !== '') setFilters({ id: entries[0]?.messageId ?? text })
        }}
      >
        <span class="hint filters-end" role="status">
          {countText(live.seen)} came, {live.leftOut === 0 ? 'none' : countText(live.leftOut)} left out
          {entries.length === live.entries.length ? '' : `, ${countText(entries.length)} fit`}
          {live.fresh > 0 ? `, ${countText(live.fresh)} new` : ''}
        </span>
        <Segmented
          label="Rows"
          options={[
            { value: 'compact', text: 'Compact' },
            { value: 'roomy', text: 'Roomy' },
          ]}
          value={density === 'roomy' ? 'roomy' : 'compact'}
          onChange={(rows) => setFilters({ rows: rows === 'roomy' ? rows : undefined })}
        />
      </LiveFilters>
      {live.problem ? <Notice kind="bad">{live.problem} Trying again.</Notice> : null}
      <div class={`live-panes${chosen === undefined ? '' : ' with-journey'}`}>
        <section class="panel live-list" aria-label="Events">
          <LiveStrip entries={entries} />
          <LiveRows
            entries={entries}
            places={places}
            chosen={chosen}
            isRoomy={density === 'roomy'}
            onAtTop={onAtTop}
            hasNone={live.entries.length === 0}
          />
        </section>
        {chosen === undefined ? null : <JourneyPanel key={chosen} messageId={chosen} places={places} />}
      </div>
    </>
  )
}

/** Rates are of these last seconds: short enough to be live, long enough to be steady. */
const rateSeconds = 10
const oneDigit = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

/** Returns how many events a second were accepted lately. */
function rateOf(entries: readonly NumberedEntry[]): string {
  const since = Date.now() - rateSeconds * 1_000
  const end = entries.findIndex(({ at }) => Date.parse(at) < since)
  const lately = end < 0 ? entries : entries.slice(0, end)
  return oneDigit.format(lately.filter(({ outcome }) => outcome === 'accepted').length / rateSeconds)
}

/** Calls back when Space is pressed where it does nothing else. */
function useSpace(onSpace: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { target } = event
      const isPage = target === document.body || (target instanceof HTMLElement && target.matches('main, h1'))
      if (event.key !== ' ' || !isPage) return
      event.preventDefault()
      onSpace()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
