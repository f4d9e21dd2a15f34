import { useState } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { ApiError, request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { countText } from '../../parts/format/count.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { useAction } from '../../parts/use-action.ts'
import { addressOf, go } from '../../shell/router.ts'
import { readCounts } from '../flow/read-flow.ts'
import { CircuitLine, useCircuits } from './circuit.tsx'
import { LastDeliveries } from './deliveries.tsx'
import type { Definition, Destination } from './records.ts'
import { type Settings, SettingsForm } from './settings-form.tsx'
import { Trial } from './trial.tsx'

/** One destination: its settings, and a try of an event. `new` adds one. */
export function DestinationPage({ id }: { readonly id: string }) {
  const isNew = id === 'new'
  const { value: definitions, error: noDefinitions } = usePolled(
    'definitions',
    (signal) => request<readonly Definition[]>('/destination-definitions', { signal }),
    0,
  ).state.value
  const path = `/v2/destinations/${encodeURIComponent(id)}`
  const { state, refresh } = usePolled<Destination | undefined>(
    path,
    async (signal) =>
      isNew ? undefined : (await request<{ readonly destination: Destination }>(path, { signal })).destination,
    10_000,
  )
  const { value: newest, error, at } = state.value
  // What is being edited stays as it is when the destination is changed elsewhere.
  const [edited, setEdited] = useState<Destination>()
  const destination = edited?.id === id ? edited : newest
  if (newest && edited?.id !== id) setEdited(newest)
  const isOutdated = destination !== undefined && newest !== undefined && destination.revision !== newest.revision
  const { value: waiting } = usePolled(`waiting for ${id}`, (signal) => readPending(id, signal), 5_000).state.value
  const circuits = useCircuits()
  const circuit = circuits.of(id)
  const problem = noDefinitions ?? error
  return (
    <>
      <p>
        <a href={addressOf('/destinations')}>All destinations</a>
      </p>
      {problem ? <Notice kind="bad">{problem.message}</Notice> : null}
      {circuit ? (
        <CircuitLine circuit={circuit} name={newest?.name ?? id} pending={waiting ?? 0} onChanged={circuits.refresh} />
      ) : null}
      {isOutdated ? (
        <Notice kind="plain">
          It was changed elsewhere.{' '}
          <button type="button" onClick={() => setEdited(newest)}>
            Show how it is now
          </button>
        </Notice>
      ) : null}
      {definitions && (destination || (isNew && at > 0)) ? (
        <Editor
          key={`${destination?.id} ${destination?.revision}`}
          definitions={definitions}
          destination={destination}
          pending={waiting ?? 0}
          onSaved={() => {
            setEdited(undefined)
            void refresh()
          }}
        />
      ) : null}
      {destination ? <Trial destination={destination} /> : null}
      {destination && allows('operate') ? <LastDeliveries id={destination.id} /> : null}
    </>
  )
}

interface EditorProps {
  readonly definitions: readonly Definition[]
  readonly destination: Destination | undefined
  /** Events that wait for it. */
  readonly pending: number
  readonly onSaved: () => void
}

/** Returns how many events wait for a destination; 0 for those who may not know. */
async function readPending(id: string, signal: AbortSignal): Promise<number> {
  if (!allows('operate')) return 0
  const { stats } = await readCounts(signal)
  return stats
    .flatMap(({ destinations }) => destinations)
    .filter(({ destinationId }) => destinationId === id)
    .reduce((sum, { pending }) => sum + pending, 0)
}

function Editor({ definitions, destination, pending, onSaved }: EditorProps) {
  const [type, setType] = useState(destination?.type ?? 'WEBHOOK')
  const [name, setName] = useState(destination?.name ?? '')
  const [isEnabled, setEnabled] = useState(destination?.enabled ?? true)
  const [settings, setSettings] = useState<Settings>(destination?.config ?? {})
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map())
  const action = useAction()
  const definition = definitions.find((each) => each.type === type || each.otherTypes?.includes(type))
  const isFile = destination?.managedBy === 'file'
  const isFixed = isFile || !allows('write') || !allows('operate')
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
        return 'Saved, and in use from the next batch on.'
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
      class="card"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <h2>{destination?.name ?? 'A new destination'}</h2>
      {isFile ? <Notice kind="plain">The workspace file defines this destination; change it there.</Notice> : null}
      {destination ? (
        <p class="hint">
          {definition?.displayName ?? type}, id <code>{destination.id}</code>
        </p>
      ) : (
        <label class="field">
          Type
          <select value={type} onChange={(event) => setType(event.currentTarget.value)}>
            {definitions.map((each) => (
              <option key={each.type} value={each.type}>
                {each.displayName}
              </option>
            ))}
          </select>
        </label>
      )}
      <label class="field">
        Name
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
      {definition ? (
        <SettingsForm
          key={type}
          definition={definition}
          settings={settings}
          onChange={setSettings}
          isFixed={isFixed}
          problems={problems}
        />
      ) : null}
      <Outcome action={action} />
      {isFixed ? null : (
        <div class="row">
          <button type="submit" disabled={action.isBusy}>
            {destination ? 'Save' : 'Add'}
          </button>
          {destination ? (
            <ConfirmButton
              text="Delete"
              question={`${destination.name} will be deleted, with its settings. ${countText(pending)} events wait for it and become dead letters.`}
              confirm={`Delete ${destination.name}`}
              isDanger
              isDisabled={action.isBusy}
              onConfirm={remove}
            />
          ) : null}
        </div>
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
