import { useState } from 'preact/hooks'
import { ApiError, request } from '../../../api/request.ts'
import { allows } from '../../../api/session.ts'
import { ConfirmButton } from '../../../parts/confirm-button.tsx'
import { countText } from '../../../parts/format/count.tsx'
import { Outcome } from '../../../parts/outcome.tsx'
import { showToast } from '../../../parts/page/toasts.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { go } from '../../../shell/router.ts'
import type { Definition, Destination } from '../records.ts'
import { type Settings, SettingsForm } from './settings-form.tsx'

interface DestinationFormProps {
  readonly definition: Definition
  /** Absent for a new one. */
  readonly destination: Destination | undefined
  /** Events that wait for it. */
  readonly pending: number
  readonly onSaved: () => void
}

/** Name, state and settings of a destination that is not defined by the workspace file. */
export function DestinationForm({ definition, destination, pending, onSaved }: DestinationFormProps) {
  const type = destination?.type ?? definition.type
  const [name, setName] = useState(destination?.name ?? '')
  const [isEnabled, setEnabled] = useState(destination?.enabled ?? true)
  const [settings, setSettings] = useState<Settings>(destination?.config ?? {})
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map())
  const action = useAction()
  const isFixed = !allows('write') || !allows('operate')
  const save = (): void =>
    void action.run(async () => {
      setProblems(new Map())
      const body = { name, type, enabled: isEnabled, config: settings }
      try {
        if (destination === undefined) {
          const created = await request<{ destination: Destination }>('/v2/destinations', { method: 'POST', body })
          go(`/destinations/${encodeURIComponent(created.destination.id)}`)
          return undefined
        }
        const headers: Record<string, string> =
          destination.revision === undefined ? {} : { 'if-match': `"${destination.revision}"` }
        await request(`/v2/destinations/${encodeURIComponent(destination.id)}`, { method: 'PUT', body, headers })
        onSaved()
        showToast('Saved, and in use from the next batch on.')
        return undefined
      } catch (error) {
        setProblems(problemsOf(error))
        throw error
      }
    })
  const remove = (): void =>
    void action.run(async () => {
      const id = encodeURIComponent(destination?.id ?? '')
      await request(`/v2/destinations/${id}`, { method: 'DELETE' })
      go('/destinations')
      return undefined
    })
  return (
    <form
      class="panel settings"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <fieldset>
        <legend>{destination === undefined ? 'Name' : 'Name and state'}</legend>
        <div class="form-fields">
          <label class="field">
            <span class="field-name">Name</span>
            <input value={name} disabled={isFixed} onInput={(event) => setName(event.currentTarget.value)} required />
          </label>
          <label>
            <input
              type="checkbox"
              checked={isEnabled}
              disabled={isFixed}
              onChange={(event) => setEnabled(event.currentTarget.checked)}
            />
            Enabled
          </label>
        </div>
      </fieldset>
      <SettingsForm
        definition={definition}
        settings={settings}
        onChange={setSettings}
        isFixed={isFixed}
        problems={problems}
      />
      <Outcome action={action} />
      {isFixed ? null : (
        <footer class="dialog-foot">
          {destination ? (
            <span class="left">
              <ConfirmButton
                text="Delete"
                question={`${destination.name} will be deleted, with its settings. ${countText(pending)} events wait for it and become dead letters.`}
                confirm={`Delete ${destination.name}`}
                isDanger
                isDisabled={action.isBusy}
                onConfirm={remove}
              />
            </span>
          ) : null}
          <button type="submit" disabled={action.isBusy}>
            {destination ? 'Save' : 'Add'}
          </button>
        </footer>
      )}
    </form>
  )
}

/** Returns what the server found wrong, by the name of the setting. */
function problemsOf(error: unknown): ReadonlyMap<string, string> {
  const details = error instanceof ApiError ? Object(error.details) : {}
  const list: readonly { readonly path?: string; readonly allowed?: string }[] = details.problems ?? []
  return new Map(
    list.map(({ path = '', allowed = '' }) => [
      path.replace(/^config\./, '').split(/[.[]/)[0] ?? '',
      `Allowed: ${allowed}`,
    ]),
  )
}
