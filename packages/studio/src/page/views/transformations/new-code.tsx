import { useState } from 'preact/hooks'
import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { Outcome } from '../../parts/outcome.tsx'
import { Dialog } from '../../parts/page/dialog.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import { useAction } from '../../parts/use-action.ts'
import { go } from '../../shell/router.ts'

/** What is made of each kind: where it is created and shown, and the code that it begins with. */
const kinds = {
  transformations: {
    word: 'transformation',
    route: '/transformations',
    view: '/transformations/',
    code: `/** Returns the event to pass it on, changed or not; null drops it. */
export function transformEvent(event, metadata) {
  return event
}
`,
  },
  libraries: {
    word: 'library',
    route: '/libraries',
    view: '/transformations/libraries/',
    code: `/** Transformations import it by name. */
export function isBlank(value) {
  return value === undefined || value === null || value === ''
}
`,
  },
} as const

/** A button that asks for a name, and creates a transformation or a library; nothing for those who may not. */
export function NewCode({ kind }: { readonly kind: keyof typeof kinds }) {
  const { word, route, view, code } = kinds[kind]
  const [isOpen, setOpen] = useState(false)
  const action = useAction()
  const create = (name: string): void =>
    void action.run(async () => {
      const { id } = await request<{ readonly id: string }>(route, { method: 'POST', body: { name, code } })
      go(`${view}${id}`)
      return undefined
    })
  if (!allows('write')) return null
  return (
    <>
      <button type="button" class="main" onClick={() => setOpen(true)}>
        <Icon name="plus" />
        New {word}
      </button>
      <Dialog title={`A new ${word}`} isOpen={isOpen} onClose={() => setOpen(false)}>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            create(String(new FormData(event.currentTarget).get('name') ?? ''))
          }}
        >
          <label class="field">
            <span class="field-name">Name of a new {word}</span>
            <input name="name" required maxLength={200} />
          </label>
          <Outcome action={action} />
          <div class="row">
            <button type="submit" disabled={action.isBusy}>
              Create
            </button>
          </div>
        </form>
      </Dialog>
    </>
  )
}
