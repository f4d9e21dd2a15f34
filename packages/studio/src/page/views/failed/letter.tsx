import { useState } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { ErrorCode } from '../../parts/error-code.tsx'
import { Time } from '../../parts/format/time.tsx'
import { JsonBlock } from '../../parts/json-block.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { useAction } from '../../parts/use-action.ts'
import { addressOf, go } from '../../shell/router.ts'
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
  const { value, error } = polled.state.value
  const isGone = error?.status === 404
  const letter = isGone ? undefined : value
  const removing = useAction()
  const remove = async (): Promise<string> => {
    await request(`/v2/dead-letters/${encodeURIComponent(id)}`, { method: 'DELETE' })
    go('/failed')
    return 'Deleted.'
  }
  return (
    <>
      <p>
        <a href={addressOf('/failed')}>All groups</a>
      </p>
      {isGone && value ? (
        <Notice kind="plain">It is no longer here: it was sent again or deleted, or its user is suppressed.</Notice>
      ) : error ? (
        <Notice kind="bad">{error.message}</Notice>
      ) : null}
      {/* Not beside its button, which disappears with the letter. */}
      {jobId === undefined ? null : <ReplayProgress key={jobId} id={jobId} onDone={() => void polled.refresh()} />}
      <Outcome action={removing} />
      {letter ? (
        <>
          <h2>
            <ErrorCode code={letter.code} docs={letter.docs} /> at {letter.destinationId}, <Time at={letter.at} />
          </h2>
          <p>
            {letter.stage}: {letter.reason}
            {letter.attempts === undefined ? '' : ` (${letter.attempts} attempts)`}
          </p>
          <div class="row">
            <ReplayButton choice={{ ids: [id] }} count={1} onStarted={setJobId} />
            <a href={addressOf(`/live/${encodeURIComponent(letter.messageId)}`)}>Its journey</a>
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
          </div>
          <div class="columns">
            <section>
              <h3>Request{letter.status === undefined ? '' : `, answered with ${letter.status}`}</h3>
              <JsonBlock label="Request" value={letter.request ?? 'No request was made.'} />
              <h3>Reply</h3>
              <JsonBlock label="Reply" value={letter.reply ?? 'There was none.'} />
            </section>
            <section>
              <h3>Event as accepted</h3>
              <JsonBlock label="Event" value={letter.event} />
              <TestCase letter={letter} />
            </section>
          </div>
        </>
      ) : null}
    </>
  )
}

/** The event as a test case of the transformation of its destination. */
function TestCase({ letter }: { readonly letter: DeadLetter }) {
  const path = `/v2/destinations/${encodeURIComponent(letter.destinationId)}`
  const { value } = usePolled(path, (signal) => request<ShownDestination>(path, { signal }), 0).state.value
  const name = value?.destination.transformation?.name
  if (name === undefined) return null
  return (
    <>
      <h3>As a test case</h3>
      <p class="hint">
        Save it in your project under the name in its first line; <code>sluice test</code> runs it.{' '}
        <code>sluice dead-letters save-test {letter.id}</code> does both.
      </p>
      <JsonBlock label="Test case" value={testCaseOf(name, letter)} />
    </>
  )
}

interface ShownDestination {
  readonly destination: { readonly transformation?: { readonly name: string } }
}
