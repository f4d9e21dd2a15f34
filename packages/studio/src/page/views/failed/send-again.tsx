import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { countText } from '../../parts/format/count.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import { useAction } from '../../parts/use-action.ts'
import { type ReplayChoice, ReplayProgress, startReplay } from './replay-job.tsx'

interface SendAgainProps {
  readonly choice: ReplayChoice
  readonly count: number
  /** In place of "Send 12 events again". */
  readonly text?: string
  /** Whether it stands out: it is the next step. */
  readonly isMain?: boolean
  readonly onDone: () => void
  /** Further actions, beside the button. */
  readonly actions?: ComponentChildren
}

/** Sends failed events again, where the text beside it says what that does, and shows how far it is. */
export function SendAgain({ choice, count, text, isMain = text === undefined, onDone, actions }: SendAgainProps) {
  const [jobId, setJobId] = useState<string>()
  const action = useAction()
  const send = (): void =>
    void action.run(async () => {
      setJobId(await startReplay(choice))
      return undefined
    })
  return (
    <div class="stack">
      <div class="row">
        <button
          type="button"
          class={isMain ? 'main' : 'small'}
          disabled={action.isBusy || count === 0 || jobId !== undefined}
          onClick={send}
        >
          <Icon name="refresh-cw" />
          {text ?? `Send ${count === 1 ? '1 event' : `${countText(count)} events`} again`}
        </button>
        {actions}
      </div>
      <Outcome action={action} />
      {jobId === undefined ? null : <ReplayProgress key={jobId} id={jobId} onDone={onDone} />}
    </div>
  )
}
