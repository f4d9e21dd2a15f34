import { useState } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { JsonBlock } from '../../parts/json-block.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { Time } from '../../parts/time.tsx'
import { useAction } from '../../parts/use-action.ts'
import { addressOf, go } from '../../shell/router.ts'
import type { DeadLetter } from './dead-letter.ts'
import { ReplayJob } from './replay-job.tsx'
import { testCaseOf } from './test-case.ts'

/** One failed event: why, what was sent, what was answered, and what to do about it. */
export function Letter({ id }: { readonly id: string }) {
  const [isRevealed, setRevealed] = useState(false)
  const path = `/v2/dead-letters/${encodeURIComponent(id)}${isRevealed ? '' : '?masked=true'}`
  const { value: letter, error } = usePolled(path, (signal) => request<DeadLetter>(path, { signal }), 0).state.value
  const removing = useAction()
  const remove = async (): Promise<string> => {
    await request(`/v2/dead-letters/${encodeURIComponent(id)}`, { method: 'DELETE' })
    go('/dead-letters')
    return 'Deleted.'
  }
  return (
    <>
      <p>
        <a href={addressOf('/dead-letters')}>All groups</a>
      </p>
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      <Outcome action={removing} />
      {letter ? (
        <>
          <h2>
            <code>{letter.code}</code> at {letter.destinationId}, <Time at={letter.at} />
          </h2>
          <p>
            {letter.stage}: {letter.reason}
            {letter.attempts === undefined ? '' : ` (${letter.attempts} attempts)`}
          </p>
          <div class="row">
            <ReplayJob choice={{ ids: [id] }} count={1} onDone={() => {}} />
            <a href={addressOf(`/live/${encodeURIComponent(letter.messageId)}`)}>Its journey</a>
            <button type="button" onClick={() => setRevealed(!isRevealed)}>
              {isRevealed ? 'Mask personal data' : 'Show personal data (is audited)'}
            </button>
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
              <h3>As a test case</h3>
              <p class="hint">
                Save it under the name in its first line; <code>sluice test</code> runs it.
              </p>
              <JsonBlock label="Test case" value={testCaseOf(letter)} />
            </section>
          </div>
        </>
      ) : null}
    </>
  )
}
