import { useState } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { Time } from '../../parts/format/time.tsx'
import { JsonBlock } from '../../parts/json-block.tsx'
import { Notice } from '../../parts/notice.tsx'
import { EmptyState } from '../../parts/page/empty-state.tsx'
import { Panel } from '../../parts/page/panel.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import { Tag } from '../../parts/signs/tag.tsx'
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
    <Panel
      title={`Last requests that it accepted${masked ? ', personal data masked' : ''}`}
      note="The last 20 of at most 15 minutes, as this process keeps them"
      isFlush
      actions={
        deliveries.length > 0 && allows('write') ? (
          <button type="button" onClick={() => setRevealed(!isRevealed)}>
            <Icon name="eye" />
            {isRevealed ? 'Mask personal data' : 'Show personal data (is audited)'}
          </button>
        ) : null
      }
    >
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {value && deliveries.length === 0 ? (
        <EmptyState icon="send" title="None is kept.">
          It accepted no request in the last 15 minutes, or none are kept: the option keptDeliveries says how many.
        </EmptyState>
      ) : null}
      <ul class="requests">
        {deliveries.map(({ messageId, at, status, request: sent, reply }, place) => (
          // One event may have several requests.
          <li key={`${messageId} ${at} ${deliveries.length - place}`}>
            <details>
              <summary>
                <Tag state="good" isMono>
                  {status ?? 'accepted'}
                </Tag>{' '}
                {addressText(sent)} <Time at={at} />
              </summary>
              <p>
                Event <a href={addressOf(`/live/${encodeURIComponent(messageId)}`)}>{messageId}</a>
              </p>
              <div class="grid two">
                <JsonBlock label={`Request for ${messageId}`} value={sent} />
                <JsonBlock label={`Reply for ${messageId}`} value={reply || 'It had no body.'} />
              </div>
            </details>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** Returns method and address of a request, where it has them. */
function addressText(sent: unknown): string {
  const { method, endpoint } = Object(sent)
  return typeof endpoint === 'string' ? `${String(method ?? '')} ${endpoint}` : ''
}
