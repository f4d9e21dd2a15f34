import { useRef } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { countText } from '../../parts/format/count.tsx'
import { StateSentence } from '../../parts/page/state-sentence.tsx'
import { addressOf } from '../../shell/router.ts'
import { groupFilters, reasonText } from '../watch/letter-groups.ts'
import { endMending, type Mending } from '../watch/mending.ts'
import { SendAgain } from './send-again.tsx'

/** How often it is looked whether another version is live, in milliseconds. */
const liveEveryMs = 2_000

/** Above the code that is being mended: which events wait for it, and how to send them again when it is published. */
export function MendingBar({ what }: { readonly what: Mending }) {
  const { destinationId, destinationName, code, reason, count, transformationId, transformationName } = what
  const path = `/transformations/${encodeURIComponent(transformationId)}`
  const { value } = usePolled(
    `mending ${path}`,
    (signal) => request<{ readonly publishedVersionId: string | null }>(path, { signal }),
    liveEveryMs,
  ).state.value
  const before = useRef<string | null>(undefined)
  if (before.current === undefined && value) before.current = value.publishedVersionId
  const isPublished = value !== undefined && value.publishedVersionId !== before.current
  const events = count === 1 ? '1 event' : `${countText(count)} events`
  return (
    <section aria-label="Being mended">
      <StateSentence
        state={isPublished ? 'good' : 'note'}
        actions={
          <div class="row">
            <SendAgain choice={{ destinationId, code, reason }} count={count} isMain={isPublished} />
            <a class="btn" href={addressOf('/failed', groupFilters(what))}>
              Back to the reason
            </a>
            <button type="button" class="ghost" onClick={endMending}>
              Close
            </button>
          </div>
        }
      >
        <b>
          {isPublished
            ? `Another version of ${transformationName} is live.`
            : `${events} failed at ${destinationName}.`}
        </b>{' '}
        <span>
          {isPublished
            ? `Send the ${events} that failed at ${destinationName} again.`
            : `${reasonText(reason)}. Send them again once a version that passes is live.`}
        </span>
      </StateSentence>
    </section>
  )
}
