import { useState } from 'preact/hooks'
import { allows } from '../../../api/session.ts'
import { Icon } from '../../../parts/signs/icon.tsx'
import { ImportDialog } from './import-dialog.tsx'

/** A button that suppresses or deletes all people of a file; nothing without the scopes for that. */
export function ImportList({ onDone }: { readonly onDone: () => void }) {
  const [isOpen, setOpen] = useState(false)
  if (!allows('write') || !allows('operate')) return null
  return (
    <>
      <button type="button" class="ghost" onClick={() => setOpen(true)}>
        <Icon name="users" />
        Import a list
      </button>
      <ImportDialog isOpen={isOpen} onClose={() => setOpen(false)} onDone={onDone} />
    </>
  )
}
