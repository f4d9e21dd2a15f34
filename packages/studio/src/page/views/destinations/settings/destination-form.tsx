import { useState } from 'preact/hooks'
import { request } from '../../../api/request.ts'
import { allows } from '../../../api/session.ts'
import { ConfirmButton } from '../../../parts/confirm-button.tsx'
import { countText } from '../../../parts/format/count.tsx'
import { Outcome } from '../../../parts/outcome.tsx'
import { showToast } from '../../../parts/page/toasts.tsx'
import { useAction } from '../../../parts/use-action.ts'
import { go } from '../../../shell/router.ts'
import type { Definition, Destination } from '../records.ts'
import { changedSettings, titlesOf } from './save/changed-settings.ts'
import { SaveDialog } from './save/save-dialog.tsx'
import { settingProblems } from './setting-problems.ts'
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
  /** Changed settings that wait for an answer of the dialog. */
  const [asked, setAsked] = useState<Settings>()
  /** Changes when everything is undone: the controls begin again. */
  const [begun, setBegun] = useState(0)
  const action = useAction()
  const changed = changedSettings(definition, destination?.config ?? {}, settings)
  const changes =
    Object.keys(changed).length +
    [name !== destination?.name, isEnabled !== destination?.enabled].filter((isChanged) => isChanged).length
  const undo = (): void => {
    setName(destination?.name ?? '')
    setEnabled(destination?.enabled ?? true)
    setSettings(destination?.config ?? {})
    setProblems(new Map())
    setBegun(begun + 1)
  }
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
        setAsked(undefined)
        onSaved()
        showToast('Saved, and in use from the next batch on.')
        return undefined
      } catch (error) {
        setProblems(settingProblems(error))
        setAsked(undefined)
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
        const isCompared = destination && definition.isTestable && Object.keys(changed).length > 0
        if (isCompared) setAsked(changed)
        else save()
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
        key={begun}
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
          {destination ? (
            <>
              <span class="soft">{changesText(changes)}</span>
              <button type="button" disabled={action.isBusy || changes === 0} onClick={undo}>
                Undo
              </button>
            </>
          ) : null}
          <button type="submit" disabled={action.isBusy || (destination !== undefined && changes === 0)}>
            {destination ? 'Save' : 'Add'}
          </button>
        </footer>
      )}
      {destination ? (
        <SaveDialog
          destination={destination}
          changed={asked}
          titles={asked === undefined ? '' : titlesOf(definition, asked)}
          isBusy={action.isBusy}
          onSave={save}
          onClose={() => setAsked(undefined)}
        />
      ) : null}
    </form>
  )
}

function changesText(count: number): string {
  if (count === 0) return 'Nothing is changed'
  return `${count} ${count === 1 ? 'change' : 'changes'}, in use from the next batch on`
}
