import { useState } from 'preact/hooks'
import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { Outcome } from '../../parts/outcome.tsx'
import { Dialog } from '../../parts/page/dialog.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import { useAction } from '../../parts/use-action.ts'
import { go } from '../../shell/router.ts'
import type { Source } from '../destinations/records.ts'

/** A button that asks for a name, and creates a source; nothing for those who may not. */
export function NewSource() {
  const [isOpen, setOpen] = useState(false)
  const action = useAction()
  const create = (name: string): void =>
    void action.run(async () => {
      const { source } = await request<{ source: Source }>('/v2/sources', { method: 'POST', body: { name } })
      go(`/sources/${encodeURIComponent(source.id)}`)
      return undefined
    })
  if (!allows('write') || !allows('operate')) return null
  return (
    <>
      <button type="button" class="main" onClick={() => setOpen(true)}>
        <Icon name="plus" />
        Add a source
      </button>
      <Dialog
        title="A new source"
        note="A place that sends events: a site, an app, a server. It gets a write key of its own."
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <form
          onSubmit={(event) => {
            event.preventDefault()
            create(String(new FormData(event.currentTarget).get('name') ?? ''))
          }}
        >
          <label class="field">
            <span class="field-name">Name of a new source</span>
            <input name="name" required maxLength={200} />
          </label>
          <Outcome action={action} />
          <div class="row">
            <button type="submit" disabled={action.isBusy}>
              Create source
            </button>
          </div>
        </form>
      </Dialog>
    </>
  )
}
