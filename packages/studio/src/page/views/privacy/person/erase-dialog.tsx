import { useState } from 'preact/hooks'
import { request } from '../../../api/request.ts'
import { Outcome } from '../../../parts/outcome.tsx'
import { Dialog } from '../../../parts/page/dialog.tsx'
import { showToast } from '../../../parts/page/toasts.tsx'
import { Icon } from '../../../parts/signs/icon.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { heldText, type PersonKey, type PersonReport } from './person-report.ts'

interface EraseDialogProps {
  readonly userId: string
  readonly keys: readonly PersonKey[]
  readonly report: PersonReport
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onDone: () => Promise<void>
}

/** Says what a deletion would do, and begins it once the userId was typed: it cannot be undone. */
export function EraseDialog({ userId, keys, report, isOpen, onClose, onDone }: EraseDialogProps) {
  const [typed, setTyped] = useState('')
  const [withGuest, setWithGuest] = useState(false)
  const action = useAction()
  const guest = keys.find(({ kind, id }) => kind === 'anonymousId' && id !== userId)
  const erase = (): void =>
    void action.run(async () => {
      const user = { userId, ...(guest && withGuest ? { anonymousId: guest.id } : {}) }
      const body = { regulationType: 'suppress_with_delete', users: [user] }
      await request('/v2/regulations', { method: 'POST', body, waitMs: 60_000 })
      onClose()
      setTyped('')
      showToast('In force: no event of this person passes, and the deletion has begun.')
      await onDone()
      return undefined
    })
  return (
    <Dialog
      title={`Suppress and delete ${userId}?`}
      note="From now on no event of this person passes. What is held is deleted, here and where it can be."
      isOpen={isOpen}
      onClose={onClose}
      foot={
        <>
          <span class="left">Cannot be undone</span>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="button" class="danger main" disabled={typed !== userId || action.isBusy} onClick={erase}>
            Suppress and delete this person
          </button>
        </>
      }
    >
      <ul class="checks">
        <li class="good">
          <Icon name="circle-check" />
          <span>{heldText(report)}</span>
        </li>
        <li class="wait">
          <Icon name="send" />
          <span>
            Every destination is called to delete. Those that cannot are listed with the reason, for you to ask their
            owners and mark as done.
          </span>
        </li>
      </ul>
      {guest ? (
        <label>
          <input type="checkbox" checked={withGuest} onChange={(event) => setWithGuest(event.currentTarget.checked)} />
          <span>
            Also what the person did as a guest, anonymousId <code>{guest.id}</code>
          </span>
        </label>
      ) : null}
      <label class="field">
        <span class="field-name">Type the userId to confirm</span>
        <input
          value={typed}
          placeholder={userId}
          spellcheck={false}
          autocomplete="off"
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
      <Outcome action={action} />
    </Dialog>
  )
}
