import { useState } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { JsonTree } from '../../parts/code/json-tree.tsx'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { ErrorCode } from '../../parts/error-code.tsx'
import { Time } from '../../parts/format/time.tsx'
import { JsonBlock } from '../../parts/json-block.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { PageHead } from '../../parts/page/page-head.tsx'
import { Panel } from '../../parts/page/panel.tsx'
import { Skeleton } from '../../parts/page/skeleton.tsx'
import { useAction } from '../../parts/use-action.ts'
import { addressOf, go } from '../../shell/router.ts'
import { groupFilters } from '../watch/letter-groups.ts'
import { nameIn, readWatchedPlaces } from '../watch/watched-places.ts'
import type { DeadLetter } from './dead-letter.ts'
import { ReplayButton, ReplayProgress } from './replay-job.tsx'
import { testCaseOf } from './test-case.ts'

/** One failed event: why, what was sent, what was answered, and what to do about it. */
export function Letter({ id }: { readonly id: string }) {
  const [isRevealed, setRevealed] = useState(false)
  const [jobId, setJobId] = useState<string>()
  const path = `/v2/dead-letters/${encodeURIComponent(id)}${isRevealed ? '' : '?masked=true'}`
  // Read once where it is audited: each read is an entry.
  const everyMs = isRevealed ? 0 : 5_000
  const polled = usePolled(path, (signal) => request<DeadLetter>(path, { signal }), everyMs)
  const destinations = usePolled('letter-places', readWatchedPlaces, 0).state.value.value?.destinations ?? []
  const { value, error } = polled.state.value
  const isGone = error?.status === 404
  const letter = isGone ? undefined : value
  const place = destinations.find((each) => each.id === letter?.destinationId)
  const removing = useAction()
  const remove = async (): Promise<string> => {
    await request(`/v2/dead-letters/${encodeURIComponent(id)}`, { method: 'DELETE' })
    go('/failed')
    return 'Deleted.'
  }
  return (
    <>
      <PageHead
        title={letter ? String(letter.event['event'] ?? letter.event['type'] ?? 'Event') : 'Failed event'}
        crumbs={[{ text: 'Failed events', href: addressOf('/failed', letter ? groupFilters(letter) : {}) }]}
        note={letter ? <span class="mono">{letter.messageId}</span> : undefined}
        actions={
          letter ? (
            <>
              <ReplayButton
                choice={{ ids: [id] }}
                count={1}
                to={nameIn(destinations, letter.destinationId)}
                onStarted={setJobId}
              />
              <a class="btn" href={addressOf(`/live/${encodeURIComponent(letter.messageId)}`)}>
                Its journey
              </a>
              {allows('write') ? (
                <button type="button" onClick={() => setRevealed(!isRevealed)}>
                  {isRevealed ? 'Mask personal data' : 'Show personal data (is audited)'}
                </button>
              ) : null}
              <ConfirmButton
                text="Delete"
                question="This failed event will be deleted for ever. It cannot be sent again then."
                confirm="Delete 1 event"
                isDanger
                isDisabled={removing.isBusy}
                onConfirm={() => void removing.run(remove)}
              />
            </>
          ) : undefined
        }
      />
      {isGone && value ? (
        <Notice kind="plain">It is no longer here: it was sent again or deleted, or its user is suppressed.</Notice>
      ) : error ? (
        <Notice kind="bad">{error.message}</Notice>
      ) : null}
      {/* Not beside its button, which disappears with the letter. */}
      {jobId === undefined ? null : <ReplayProgress key={jobId} id={jobId} onDone={() => void polled.refresh()} />}
      <Outcome action={removing} />
      {value === undefined && !error ? <Skeleton isTall /> : null}
      {letter ? (
        <>
          <Notice kind="bad">
            <ErrorCode code={letter.code} docs={letter.docs} /> at {nameIn(destinations, letter.destinationId)},{' '}
            <Time at={letter.at} />, stage {letter.stage}: {letter.reason}
            {letter.attempts === undefined ? '' : ` (${letter.attempts} attempts)`}
          </Notice>
          <div class="grid two">
            <Panel title="Event as accepted" note={isRevealed ? undefined : 'Personal data masked'}>
              <JsonTree label="Event" value={letter.event} />
            </Panel>
            <div class="stack">
              <Panel title={`Request${letter.status === undefined ? '' : `, answered with ${letter.status}`}`}>
                <JsonTree label="Request" value={letter.request ?? 'No request was made.'} />
              </Panel>
              <Panel title="Reply">
                <JsonBlock label="Reply" value={letter.reply ?? 'There was none.'} />
              </Panel>
              {place?.transformation ? (
                <Panel
                  title="As a test case"
                  note="Save it in your project under the name in its first line; sluice test runs it."
                >
                  <p class="hint">
                    <code>sluice dead-letters save-test {letter.id}</code> does both.
                  </p>
                  <JsonBlock label="Test case" value={testCaseOf(place.transformation.name, letter)} />
                </Panel>
              ) : null}
            </div>
          </div>
        </>
      ) : null}
    </>
  )
}
