import { useState } from 'preact/hooks'
import { request } from '../../../api/request.ts'
import { Outcome } from '../../../parts/outcome.tsx'
import { Dialog } from '../../../parts/page/dialog.tsx'
import { showToast } from '../../../parts/page/toasts.tsx'
import { useAction } from '../../../parts/use-action.ts'
import type { Deletion } from '../regulation.ts'

interface DoneDialogProps {
  readonly regulationId: string
  /** Undefined while it is closed. */
  readonly deletion: Deletion | undefined
  readonly onClose: () => void
}

const noteLengthMax = 500

/** Notes that a person has deleted somebody where no program could, with how. */
export function DoneDialog({ regulationId, deletion, onClose }: DoneDialogProps) {
  const [note, setNote] = useState('')
  const action = useAction()
  const save = (): void =>
    void action.run(async () => {
      const place = encodeURIComponent(deletion?.destinationId ?? '')
      await request(`/v2/regulations/${encodeURIComponent(regulationId)}/deletions/${place}/done`, {
        method: 'POST',
        body: { note: note.trim() },
      })
      showToast(`${deletion?.destination ?? 'It'} is marked as done by you.`)
      setNote('')
      onClose()
      return undefined
    })
  return (
    <Dialog
      title={`Mark ${deletion?.destination ?? ''} as done`}
      note="Do so once the owner of this place has deleted the person. Your name and note are part of the proof."
      isOpen={deletion !== undefined}
      onClose={onClose}
      foot={
        <>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="button" class="main" disabled={note.trim() === '' || action.isBusy} onClick={save}>
            Mark as done
          </button>
        </>
      }
    >
      {deletion?.reason ? <p>{deletion.reason}</p> : null}
      <label class="field">
        <span class="field-name">Who did it, and how</span>
        <textarea
          rows={3}
          maxLength={noteLengthMax}
          value={note}
          onInput={(event) => setNote(event.currentTarget.value)}
        />
        <span class="help">Without ids of the person: the certificate would leave the note out.</span>
      </label>
      <Outcome action={action} />
    </Dialog>
  )
}
