import { useState } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { countText } from '../../parts/format/count.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { useAction } from '../../parts/use-action.ts'

/** Which dead letters to send again. */
export interface ReplayChoice {
  readonly ids?: readonly string[]
  readonly destinationId?: string
  readonly code?: string
  readonly reason?: string
  /** ISO 8601: those that failed at this time or later. */
  readonly since?: string
}

interface Job {
  readonly id: string
  readonly state: 'running' | 'done' | 'stopped' | 'failed'
  readonly total: number
  readonly done: number
  readonly problem?: string
}

/** How often progress is read, in milliseconds. */
const lookEveryMs = 500

/** Starts to send dead letters again. @returns the id of the job. */
export async function startReplay(choice: ReplayChoice): Promise<string> {
  const { id } = await request<{ id: string }>('/v2/jobs/replays', { method: 'POST', body: choice })
  return id
}

/** A button that sends dead letters again, after a question. */
export function ReplayButton({
  choice,
  count,
  isAtLeast = false,
  to = 'the destinations where they failed',
  onStarted,
}: {
  readonly choice: ReplayChoice
  readonly count: number
  /** Whether there may be more than `count`. */
  readonly isAtLeast?: boolean
  /** Name of the destination they go to, if it is one. */
  readonly to?: string | undefined
  readonly onStarted: (jobId: string) => void
}) {
  const action = useAction()
  // With a filter, and no further condition, all that match are sent, also those that fail meanwhile.
  const isAll = choice.ids === undefined && choice.reason === undefined
  const number = `${isAtLeast ? 'at least ' : ''}${countText(count)}`
  const events = count === 1 ? '1 event' : `${isAll ? 'all ' : ''}${number} events`
  return (
    <>
      <ConfirmButton
        text={`Send ${events} again`}
        question={`${events} will be sent to ${to} again, after a new check of suppression. What fails again comes back here.`}
        confirm={`Send ${events}`}
        isDisabled={action.isBusy || count === 0}
        onConfirm={() =>
          void action.run(async () => {
            onStarted(await startReplay(choice))
            return undefined
          })
        }
      />
      <Outcome action={action} />
    </>
  )
}

/** The same, with the progress below it. */
export function ReplayJob({
  choice,
  count,
  onDone,
}: {
  readonly choice: ReplayChoice
  readonly count: number
  readonly onDone: () => void
}) {
  const [jobId, setJobId] = useState<string>()
  return (
    <>
      <ReplayButton choice={choice} count={count} onStarted={setJobId} />
      {jobId === undefined ? null : <ReplayProgress key={jobId} id={jobId} onDone={onDone} />}
    </>
  )
}

/** How far a replay is, with a button that stops it. */
export function ReplayProgress({ id, onDone }: { readonly id: string; readonly onDone: () => void }) {
  const path = `/v2/jobs/${id}`
  const [isOver, setOver] = useState(false)
  const { value: job } = usePolled(
    `${path} ${isOver}`,
    async (signal) => {
      const read = await request<Job>(path, { signal })
      if (read.state !== 'running' && !isOver) {
        setOver(true)
        onDone()
      }
      return read
    },
    isOver ? 0 : lookEveryMs,
  ).state.value
  if (job === undefined) return null
  if (job.state === 'running')
    return (
      <p class="row">
        <progress max={Math.max(1, job.total)} value={job.done} aria-label="Events sent again" />
        {countText(job.done)} of {countText(job.total)}
        <button type="button" onClick={() => void request(path, { method: 'DELETE' })}>
          Stop
        </button>
      </p>
    )
  if (job.state === 'failed') return <Notice kind="bad">{job.problem ?? 'The replay failed.'}</Notice>
  return (
    <Notice kind="good">
      {job.state === 'stopped' ? 'Stopped. ' : ''}
      {countText(job.done)} of {countText(job.total)} are on their way.
    </Notice>
  )
}
