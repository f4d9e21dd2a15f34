import { useState } from 'preact/hooks'
import { allows } from '../../api/session.ts'
import { JsonTree } from '../../parts/code/json-tree.tsx'
import { JsonBlock } from '../../parts/json-block.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Skeleton } from '../../parts/page/skeleton.tsx'
import { Pill } from '../../parts/signs/pill.tsx'
import { nameIn, type WatchedPlaces } from '../watch/watched-places.ts'
import { asSent, useEventPayload } from './event-payload.ts'
import { SendEvent } from './send-event.tsx'

const stateNames = { waiting: 'Waiting at', failed: 'Failed at', delivered: 'Delivered to' } as const

interface EventTabProps {
  readonly messageId: string
  readonly places: WatchedPlaces | undefined
}

/** What an event contains, and what destinations were sent of it, as far as it is kept. */
export function EventTab({ messageId, places }: EventTabProps) {
  const [isRevealed, setRevealed] = useState(false)
  const [isSending, setSending] = useState(false)
  const { value, error } = useEventPayload(messageId, isRevealed)
  if (error?.status === 404)
    return <p class="side-note">Its content is no longer kept: it has ended, and is not in the log.</p>
  if (error) return <Notice kind="bad">{error.message}</Notice>
  if (value === undefined) return <Skeleton />
  return (
    <section aria-label="payload" class="side-body">
      <div class="side-bar row">
        {value.masked ? (
          <Pill state="guard" icon="lock">
            Personal data masked
          </Pill>
        ) : (
          <Pill state="guard" icon="eye">
            Personal data shown
          </Pill>
        )}
        {allows('write') ? (
          <>
            <button type="button" class="small" onClick={() => setRevealed(!isRevealed)}>
              {isRevealed ? 'Mask personal data' : 'Show personal data (is audited)'}
            </button>
            <button
              type="button"
              class="small"
              disabled={value.masked}
              aria-pressed={isSending}
              onClick={() => setSending(!isSending)}
            >
              Send again
            </button>
            {value.masked ? <small>Show it first: what is masked cannot be sent again.</small> : null}
          </>
        ) : null}
      </div>
      {isSending && !value.masked ? (
        <SendEvent event={JSON.stringify(asSent(value.event), null, 2)} sourceId={value.sourceId} />
      ) : null}
      <JsonTree label="Event as accepted" value={value.event} closed={['context.library']} />
      {value.destinations.map(({ destinationId, state, outputs, request, reply }) => {
        const name = nameIn(places?.destinations ?? [], destinationId)
        return (
          <section key={destinationId} aria-label={`payload at ${name}`}>
            <h3 class="side-title">
              {stateNames[state]} {name}
            </h3>
            {outputs === undefined ? null : (
              <>
                <p class="side-note">What the transformation made of it:</p>
                <JsonTree label={`Outputs for ${name}`} value={outputs} />
              </>
            )}
            {request === undefined ? null : (
              <>
                <p class="side-note">The last request and reply:</p>
                <JsonTree label={`Request to ${name}`} value={request} />
                <div class="journey-pad">
                  <JsonBlock label={`Reply of ${name}`} value={reply || 'There was none.'} />
                </div>
              </>
            )}
          </section>
        )
      })}
    </section>
  )
}
