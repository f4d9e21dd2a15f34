import './live.css'
import { useEffect } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { Notice } from '../../parts/notice.tsx'
import { PageHead } from '../../parts/page/page-head.tsx'
import { Skeleton } from '../../parts/page/skeleton.tsx'
import { Tabs } from '../../parts/page/tabs.tsx'
import { showToast } from '../../parts/page/toasts.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import { addressOf, filters, setFilters } from '../../shell/router.ts'
import { readWatchedPlaces, type WatchedPlaces } from '../watch/watched-places.ts'
import { useEventPayload } from './event-payload.ts'
import { EventTab } from './event-tab.tsx'
import type { EventTrace } from './event-trace.ts'
import { Journey } from './journey.tsx'
import { StagesTab } from './stages-tab.tsx'

interface JourneyProps {
  readonly messageId: string
  readonly places: WatchedPlaces | undefined
}

/** The journey of one event beside the rows. Escape closes it. */
export function JourneyPanel({ messageId, places }: JourneyProps) {
  const { value } = useEventPayload(messageId, false)
  const close = (): void => setFilters({ id: undefined, part: undefined })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && document.querySelector('dialog[open]') === null) close()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <aside class="panel side journey" aria-label="Journey of one event">
      <header class="panel-head">
        <div>
          <h2>{String(value?.event['event'] ?? value?.event['type'] ?? 'Event')}</h2>
          <p class="mono">{messageId}</p>
        </div>
        <div class="row">
          <CopyId messageId={messageId} />
          <a
            class="btn ghost square small"
            href={addressOf(`/live/${encodeURIComponent(messageId)}`)}
            aria-label="On a page of its own"
          >
            <Icon name="maximize-2" />
          </a>
          <button type="button" class="ghost square small" aria-label="Close the journey" onClick={close}>
            <Icon name="x" />
          </button>
        </div>
      </header>
      <JourneyParts messageId={messageId} places={places} />
    </aside>
  )
}

/** The same as a page. */
export function JourneyPage({ messageId }: { readonly messageId: string }) {
  const places = usePolled('journey-places', readWatchedPlaces, 30_000).state.value.value
  return (
    <>
      <PageHead
        title="Journey of one event"
        crumbs={[{ text: 'Live events', href: addressOf('/live') }]}
        note={<span class="mono">{messageId}</span>}
        actions={<CopyId messageId={messageId} />}
      />
      <section class="panel journey" aria-label="Journey of one event">
        <JourneyParts messageId={messageId} places={places} />
      </section>
    </>
  )
}

function CopyId({ messageId }: { readonly messageId: string }) {
  return (
    <button
      type="button"
      class="ghost square small"
      aria-label="Copy the id"
      onClick={() => void navigator.clipboard.writeText(messageId).then(() => showToast('The id is copied.'))}
    >
      <Icon name="copy" />
    </button>
  )
}

const traceEveryMs = 3_000

function JourneyParts({ messageId, places }: JourneyProps) {
  const path = `/v1/events/${encodeURIComponent(messageId)}`
  const { value, error } = usePolled(path, (signal) => request<EventTrace>(path, { signal }), traceEveryMs).state.value
  // What was shown before its user was suppressed disappears, too.
  if (error?.status === 404)
    return (
      <div class="panel-body">
        <Notice kind="plain">
          No event with this id is known: it never came, its receipts are gone, or its user is suppressed. These look
          the same on purpose.
        </Notice>
      </div>
    )
  if (value === undefined)
    return <div class="panel-body">{error ? <Notice kind="bad">{error.message}</Notice> : <Skeleton />}</div>
  return (
    <Tabs
      label="Parts of the journey"
      kind="inset"
      value={filters.value['part'] ?? 'journey'}
      onChange={(part) => setFilters({ part: part === 'journey' ? undefined : part })}
      tabs={[
        { id: 'journey', title: 'Journey', content: () => <Journey trace={value} places={places} /> },
        { id: 'event', title: 'Event', content: () => <EventTab messageId={messageId} places={places} /> },
        {
          id: 'stages',
          title: 'What each stage changed',
          content: () => <StagesTab messageId={messageId} trace={value} places={places} />,
        },
      ]}
    />
  )
}
