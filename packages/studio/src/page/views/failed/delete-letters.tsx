import { request } from '../../api/request.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { countText } from '../../parts/format/count.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { showToast } from '../../parts/page/toasts.tsx'
import { useAction } from '../../parts/use-action.ts'
import type { ReplayChoice } from './replay-job.tsx'

interface DeleteLettersProps {
  readonly choice: ReplayChoice
  readonly count: number
  readonly onDone: () => void
}

/** Deletes failed events, after a question with their number. */
export function DeleteLetters({ choice, count, onDone }: DeleteLettersProps) {
  const action = useAction()
  const remove = (): void =>
    void action.run(async () => {
      const { removed } = await request<{ removed: number }>('/v2/dead-letters/remove', {
        method: 'POST',
        body: choice,
      })
      showToast(`${events(removed)} ${removed === 1 ? 'is' : 'are'} deleted.`)
      onDone()
      return undefined
    })
  return (
    <>
      <ConfirmButton
        text="Delete them"
        question={`${events(count)} will be deleted for ever, and cannot be sent again then. ${count === 1 ? 'It still counts' : 'They still count'} as failed.`}
        confirm={`Delete ${events(count)}`}
        isDanger
        isDisabled={action.isBusy || count === 0}
        onConfirm={remove}
      />
      <Outcome action={action} />
    </>
  )
}

function events(count: number): string {
  return count === 1 ? '1 event' : `${countText(count)} events`
}
