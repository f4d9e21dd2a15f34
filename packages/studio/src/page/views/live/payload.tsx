import { useState } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { JsonBlock } from '../../parts/json-block.tsx'
import { Notice } from '../../parts/notice.tsx'
import { SendEvent } from './send-event.tsx'
import { type Passed, StagesNow } from './stages-now.tsx'

const stateNames = { waiting: 'Waiting at', failed: 'Failed at', delivered: 'Delivered to' } as const

interface EventPayload {
  readonly sourceId: string
  readonly masked: boolean
  readonly event: Readonly<Record<string, unknown>>
  readonly destinations: readonly {
    readonly destinationId: string
    readonly state: keyof typeof stateNames
    readonly outputs?: unknown
    readonly request?: unknown
    readonly reply?: unknown
  }[]
}

/** The content of an event, and what destinations made of it, as far as it is kept. Shows nothing of an unknown event. */
export function Payload({ messageId, passed }: { readonly messageId: string; readonly passed: readonly Passed[] }) {
  const [isRevealed, setRevealed] = useState(false)
  const [isSending, setSending] = useState(false)
  const path = `/v1/events/${encodeURIComponent(messageId)}/payload${isRevealed ? '?reveal=true' : ''}`
  const { value, error } = usePolled(
    path,
    (signal) => request<EventPayload>(path, { signal }),
    // Read once where it is audited: each read is an entry.
    isRevealed ? 0 : 10_000,
  ).state.value
  if (error?.status === 404) return null
  if (error) return <Notice kind="bad">{error.message}</Notice>
  if (value === undefined) return null
  return (
    <section aria-label="payload">
      <h3>Payload{value.masked ? ', personal data masked' : ''}</h3>
      {allows('write') ? (
        <div class="row">
          <button type="button" onClick={() => setRevealed(!isRevealed)}>
            {isRevealed ? 'Mask personal data' : 'Show personal data (is audited)'}
          </button>
          <button type="button" disabled={value.masked} aria-pressed={isSending} onClick={() => setSending(!isSending)}>
            Send again
          </button>
          {value.masked ? <span class="hint">Show it first: what is masked cannot be sent again.</span> : null}
        </div>
      ) : null}
      {isSending && !value.masked ? (
        <SendEvent event={JSON.stringify(asSent(value.event), null, 2)} sourceId={value.sourceId} isOpen />
      ) : null}
      <JsonBlock label="Event as accepted" value={value.event} />
      {passed.map((each) => (
        <StagesNow key={each.destinationId} passed={each} event={asSent(value.event)} />
      ))}
      {value.destinations.map(({ destinationId, state, outputs, request: sent, reply }) => (
        <section key={destinationId} aria-label={`payload at ${destinationId}`}>
          <h4>
            {stateNames[state]} {destinationId}
          </h4>
          {outputs === undefined ? null : (
            <>
              <p class="hint">What the user transformation made of it:</p>
              <JsonBlock label={`Outputs for ${destinationId}`} value={outputs} />
            </>
          )}
          {sent === undefined ? null : (
            <>
              <p class="hint">The last request and reply:</p>
              <JsonBlock label={`Request to ${destinationId}`} value={sent} />
              <JsonBlock label={`Reply of ${destinationId}`} value={reply || 'There was none.'} />
            </>
          )}
        </section>
      ))}
    </section>
  )
}

/** Members that ingestion adds, or that only hold for the first time it was sent. */
const ofFirstTime = ['messageId', 'receivedAt', 'sentAt', 'originalTimestamp', 'timestamp', 'rudderId', 'serviceId']

function asSent(event: EventPayload['event']): object {
  return Object.fromEntries(Object.entries(event).filter(([key]) => !ofFirstTime.includes(key)))
}
