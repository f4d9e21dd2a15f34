import { useState } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { readAll } from '../../api/read-all.ts'
import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { BalanceBar } from '../../parts/charts/balance-bar.tsx'
import { TimeChart } from '../../parts/charts/time/time-chart.tsx'
import { ConfirmButton } from '../../parts/confirm-button.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { PageHead } from '../../parts/page/page-head.tsx'
import { Panel } from '../../parts/page/panel.tsx'
import { Skeleton } from '../../parts/page/skeleton.tsx'
import { Pill } from '../../parts/signs/pill.tsx'
import { useAction } from '../../parts/use-action.ts'
import { addressOf, go } from '../../shell/router.ts'
import { countsOf, totalOf, useHistory } from '../destinations/health/history.ts'
import type { Connection, Source } from '../destinations/records.ts'
import { WhereItWent } from './outcomes/where-it-went.tsx'
import { SendEvents } from './send-events.tsx'
import { SourcePlan } from './source-plan.tsx'
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
  const crumbs = [{ text: 'Sources', href: addressOf('/sources') }]
  if (value === undefined)
    return (
      <>
        <PageHead title="Source" crumbs={crumbs} />
        {error ? <Notice kind="bad">{error.message}</Notice> : <Skeleton lines={6} />}
      </>
    )
  const { source } = value
  return (
    <>
      <PageHead
        title={source.name}
        crumbs={crumbs}
        state={<Pill state={source.enabled ? 'good' : 'idle'}>{source.enabled ? 'On' : 'Off'}</Pill>}
        note={source.enabled ? 'It accepts events.' : 'It refuses events, because it is disabled.'}
      />
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      <div class="grid main-side">
        <div class="stack">
          <SendEvents source={source} />
          <LastDay source={source} />
          <WhereItWent sourceId={source.id} />
          <SourcePlan source={source} />
        </div>
        <div class="stack">
          <WriteKeys source={source} address={address} onChanged={refresh} />
          <SourceForm key={source.revision} {...value} address={address} onChanged={refresh} />
        </div>
      </div>
    </>
  )
}

/** What became of the events of a source at its door, within a day. */
function LastDay({ source: { id, name } }: { readonly source: Source }) {
  const history = useHistory('24h')
  if (history === undefined) return null
  const total = (kind: string): number => totalOf(history, isOf(kind))
  const isOf = (kind: string) => (each: (typeof history)['series'][number]) =>
    each.sourceId === id && each.destinationId === undefined && each.kind === kind
  return (
    <Panel title="Received" note="The last 24 hours">
      <TimeChart
        label={`Events received from ${name} in the last 24 hours`}
        slots={history.slots}
        series={[{ name: 'received', state: 'good', kind: 'area', values: countsOf(history, isOf('received')) }]}
        size="low"
      />
      <BalanceBar
        label={`Received from ${name}`}
        title="Received"
        whole={total('received')}
        parts={[
          { name: 'Accepted', value: total('accepted'), state: 'good' },
          { name: 'Seen before', value: total('duplicate'), state: 'idle' },
          { name: 'Suppressed', value: total('suppressed'), state: 'guard' },
          { name: 'Refused', value: total('rejected'), state: 'bad' },
        ]}
      />
    </Panel>
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
    <Panel title="Name and state">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        {isFile ? <Notice kind="plain">The workspace file defines this source; change it there.</Notice> : null}
        <p class="soft">
          id <code>{source.id}</code>
        </p>
        <label class="field">
          <span class="field-name">Name</span>
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
    </Panel>
  )
}
