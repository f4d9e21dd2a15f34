import { useState } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { Time } from '../../parts/format/time.tsx'
import { JsonBlock } from '../../parts/json-block.tsx'
import { Notice } from '../../parts/notice.tsx'
import { addressOf } from '../../shell/router.ts'

interface Deliveries {
  readonly masked: boolean
  readonly deliveries: readonly {
    readonly messageId: string
    readonly at: string
    readonly status?: number
    readonly request?: unknown
    readonly reply?: unknown
  }[]
}

/** The last requests that a destination accepted, each with its answer. */
export function LastDeliveries({ id }: { readonly id: string }) {
  const [isRevealed, setRevealed] = useState(false)
  const path = `/v1/destinations/${encodeURIComponent(id)}/deliveries${isRevealed ? '?reveal=true' : ''}`
  const { value, error } = usePolled(
    path,
    (signal) => request<Deliveries>(path, { signal }),
    // Read once where it is audited: each read is an entry.
    isRevealed ? 0 : 10_000,
  ).state.value
  const { deliveries = [], masked = true } = value ?? {}
  return (
    <section class="card" aria-label="last deliveries">
      <h2>Last deliveries{masked ? ', personal data masked' : ''}</h2>
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {value && deliveries.length === 0 ? (
        <p class="hint">It accepted no request in the last 15 minutes, or none are kept.</p>
      ) : null}
      {deliveries.length > 0 && allows('write') ? (
        <button type="button" onClick={() => setRevealed(!isRevealed)}>
          {isRevealed ? 'Mask personal data' : 'Show personal data (is audited)'}
        </button>
      ) : null}
      {deliveries.map(({ messageId, at, status, request: sent, reply }, place) => (
        // One event may have several requests.
        <details key={`${messageId} ${at} ${deliveries.length - place}`}>
          <summary>
            {status ?? 'accepted'}, <Time at={at} />
          </summary>
          <p>
            Event <a href={addressOf(`/live/${encodeURIComponent(messageId)}`)}>{messageId}</a>
          </p>
          <JsonBlock label={`Request for ${messageId}`} value={sent} />
          <JsonBlock label={`Reply for ${messageId}`} value={reply || 'It had no body.'} />
        </details>
      ))}
    </section>
  )
}
