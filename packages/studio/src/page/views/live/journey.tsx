import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { ErrorCode } from '../../parts/error-code.tsx'
import { Time } from '../../parts/format/time.tsx'
import { Notice } from '../../parts/notice.tsx'
import { addressOf } from '../../shell/router.ts'
import { Payload } from './payload.tsx'

interface Trace {
  readonly messageId: string
  readonly sourceId: string
  readonly acceptedAt?: string
  readonly destinations: readonly DestinationTrace[]
}

interface DestinationTrace {
  readonly destinationId: string
  readonly outcome: string
  readonly stages: readonly { readonly stage: string; readonly outcome: string }[]
  readonly at?: string
  readonly reason?: string
  readonly code?: string
  readonly docs?: string
  readonly outputs: number
  readonly versionId?: string
  readonly attempts?: number
  readonly nextTryAt?: string
  readonly deadLetterIds: readonly string[]
}

/** What became of one event: for each destination the stages it passed, and where it ended or waits. */
export function Journey({ messageId }: { readonly messageId: string }) {
  const path = `/v1/events/${encodeURIComponent(messageId)}`
  const { value, error } = usePolled(path, (signal) => request<Trace>(path, { signal }), 3_000).state.value
  // What was shown before its user was suppressed disappears, too.
  const isUnknown = error?.status === 404
  const trace = isUnknown ? undefined : value
  return (
    <article class="journey">
      <p>
        <a href={addressOf('/live')}>All events</a>
      </p>
      <h2>
        Event <code>{messageId}</code>
      </h2>
      {isUnknown ? (
        <Notice kind="plain">
          No event with this id is known: it never came, its receipts are gone, or its user is suppressed. These look
          the same on purpose.
        </Notice>
      ) : error ? (
        <Notice kind="bad">{error.message}</Notice>
      ) : null}
      {trace ? (
        <>
          <p>
            From <a href={addressOf('/live', { source: trace.sourceId })}>{trace.sourceId}</a>
            {trace.acceptedAt ? (
              <>
                , accepted <Time at={trace.acceptedAt} />
              </>
            ) : null}
          </p>
          {trace.destinations.map((each) => (
            <AtDestination key={each.destinationId} trace={each} acceptedAt={trace.acceptedAt} />
          ))}
        </>
      ) : null}
      <Payload key={messageId} messageId={messageId} passed={trace?.destinations ?? []} />
    </article>
  )
}

interface AtDestinationProps {
  readonly trace: DestinationTrace
  readonly acceptedAt: string | undefined
}

function AtDestination({ trace, acceptedAt }: AtDestinationProps) {
  const {
    destinationId,
    outcome,
    stages,
    at,
    reason,
    code,
    docs,
    outputs,
    versionId,
    attempts,
    nextTryAt,
    deadLetterIds,
  } = trace
  return (
    <section class="card" aria-label={`at ${destinationId}`}>
      <h3>
        {destinationId}: <span class={`outcome ${outcome}`}>{outcome}</span>
      </h3>
      <ol>
        {stages.map((stage) => (
          <li key={stage.stage} class={stage.outcome}>
            {stage.stage}: {stage.outcome}
          </li>
        ))}
      </ol>
      <p class="hint">
        {[
          at && `ended at ${at}${acceptedAt ? `, ${elapsed(acceptedAt, at)} after it was accepted` : ''}`,
          outputs > 0 && `${outputs} requests delivered`,
          versionId && `transformation version ${versionId}`,
          attempts && `${attempts} attempts`,
          nextTryAt && `next try at ${nextTryAt}`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {reason ? (
        <p>
          {code ? <ErrorCode code={code} docs={docs} /> : null} {reason}
        </p>
      ) : null}
      {deadLetterIds.map((id) => (
        <p key={id}>
          <a href={addressOf(`/failed/${id}`)}>Request, reply and replay</a>
        </p>
      ))}
    </section>
  )
}

function elapsed(from: string, to: string): string {
  const ms = Math.max(0, Date.parse(to) - Date.parse(from))
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`
}
