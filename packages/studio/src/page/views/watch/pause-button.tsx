import { request } from '../../api/request.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { countText } from '../../parts/format/count.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { showToast } from '../../parts/page/toasts.tsx'
import { useAction } from '../../parts/use-action.ts'

interface PauseButtonProps {
  readonly destinationId: string
  readonly name: string
  readonly isPaused: boolean
  /** Events that wait for it. */
  readonly waiting: number
  readonly onChanged: () => Promise<void>
}

/** Pauses a destination or resumes it, after a question that says what becomes of its events. */
export function PauseButton({ destinationId, name, isPaused, waiting, onChanged }: PauseButtonProps) {
  const action = useAction()
  const verb = isPaused ? 'resume' : 'pause'
  const change = (): void =>
    void action.run(async () => {
      await request(`/v2/destinations/${encodeURIComponent(destinationId)}/${verb}`, { method: 'POST' })
      await onChanged()
      showToast(isPaused ? `${name} is resumed.` : `${name} is paused.`)
      return undefined
    })
  return (
    <>
      <ConfirmButton
        text={isPaused ? 'Resume' : 'Pause'}
        question={
          isPaused
            ? `The ${countText(waiting)} events that wait for ${name} will be sent, and those that came meanwhile.`
            : `Nothing more will be sent to ${name}. Its events, ${countText(waiting)} at this moment, will wait on disk until it is resumed.`
        }
        confirm={`${isPaused ? 'Resume' : 'Pause'} ${name}`}
        isDisabled={action.isBusy}
        onConfirm={change}
      />
      <Outcome action={action} />
    </>
  )
}
