import { useState } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { readAll } from '../../api/read-all.ts'
import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { useAction } from '../../parts/use-action.ts'
import { addressOf, go } from '../../shell/router.ts'
import type { Connection, Source } from '../destinations/records.ts'
import { SendEvents } from './send-events.tsx'
import { WriteKeys } from './write-keys.tsx'

/** One source: its name, whether it accepts events, and its write keys. */
export function SourcePage({ id }: { readonly id: string }) {
  const address = `/v2/sources/${encodeURIComponent(id)}`
  const { state, refresh } = usePolled(
    address,
    async (signal) => {
      const [{ source }, connections] = await Promise.all([
        request<{ readonly source: Source }>(address, { signal }),
        readAll<Connection>('/v2/connections', 'connections', signal),
      ])
      return { source, connections: connections.filter(({ sourceId }) => sourceId === id).length }
    },
    10_000,
  )
  const { value, error } = state.value
  return (
    <>
      <p>
        <a href={addressOf('/sources')}>All sources</a>
      </p>
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {value ? (
        <>
          <SourceForm key={value.source.revision} {...value} address={address} onChanged={refresh} />
          <SendEvents source={value.source} />
          <WriteKeys source={value.source} address={address} onChanged={refresh} />
        </>
      ) : null}
    </>
  )
}

interface SourceFormProps {
  readonly source: Source
  /** Number of its connections. */
  readonly connections: number
  readonly address: string
  readonly onChanged: () => Promise<void>
}

function SourceForm({ source, connections, address, onChanged }: SourceFormProps) {
  const [name, setName] = useState(source.name)
  const [isEnabled, setEnabled] = useState(source.enabled)
  const action = useAction()
  const isFile = source.managedBy === 'file'
  const isFixed = isFile || !allows('write') || !allows('operate')
  const headers: Record<string, string> = source.revision === undefined ? {} : { 'if-match': `"${source.revision}"` }
  const save = (): void =>
    void action.run(async () => {
      await request(address, { method: 'PUT', body: { name, enabled: isEnabled }, headers })
      await onChanged()
      return undefined
    })
  const remove = (): void =>
    void action.run(async () => {
      await request(address, { method: 'DELETE', headers })
      go('/sources')
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
      <h2>{source.name}</h2>
      {isFile ? <Notice kind="plain">The workspace file defines this source; change it there.</Notice> : null}
      <p class="hint">
        id <code>{source.id}</code>, {source.enabled ? 'accepts events' : 'refuses events, because it is disabled'}
      </p>
      <label class="field">
        Name
        <input
          value={name}
          disabled={isFixed}
          maxLength={200}
          onInput={(event) => setName(event.currentTarget.value)}
          required
        />
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
      <Outcome action={action} />
      {isFixed ? null : (
        <div class="row">
          <button type="submit" disabled={action.isBusy}>
            Save
          </button>
          <ConfirmButton
            text="Delete"
            question={`${source.name} will be deleted, and its write keys will be refused from then on: senders that still use them lose their events. It has ${connections} connections; while it has any, the server refuses this.`}
            confirm={`Delete ${source.name}`}
            isDanger
            isDisabled={action.isBusy}
            onConfirm={remove}
          />
        </div>
      )}
    </form>
  )
}
