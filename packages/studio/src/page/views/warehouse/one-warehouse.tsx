import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { Time } from '../../parts/format/time.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Outcome } from '../../parts/outcome.tsx'
import { PageHead } from '../../parts/page/page-head.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import { Pill } from '../../parts/signs/pill.tsx'
import { Tag } from '../../parts/signs/tag.tsx'
import { useAction } from '../../parts/use-action.ts'
import { addressOf } from '../../shell/router.ts'
import { LoadTiles } from './load-tiles.tsx'
import { LoadsPanel } from './loads-panel.tsx'
import { MisfitsPanel } from './misfits-panel.tsx'
import { SqlWindow } from './sql/sql-window.tsx'
import { type Conflict, type Load, loadedTables, misfitsOf, type Warehouse } from './warehouse.ts'

interface OneWarehouseProps {
  readonly warehouse: Warehouse
  readonly name: string
  readonly type: string
  readonly note: string
  /** Why the state could not be read again. */
  readonly problem: string | undefined
  /** Where there are several: how to go to another. */
  readonly choice: ComponentChildren
  readonly onLoaded: () => Promise<void>
}

/** One warehouse: its state in four tiles, its tables beside a query and its result, loads, and what did not fit. */
export function OneWarehouse({ warehouse, name, type, note, problem, choice, onLoaded }: OneWarehouseProps) {
  const { destinationId: id, failingSince } = warehouse
  const base = `/v2/warehouses/${encodeURIComponent(id)}`
  const { state, refresh } = usePolled(
    base,
    async (signal) => (await request<{ readonly data: readonly Load[] }>(`${base}/loads`, { signal })).data,
    5_000,
  )
  const conflicts = usePolled(
    `${base} conflicts`,
    async (signal) =>
      (await request<{ readonly data: readonly Conflict[] }>(`${base}/conflicts`, { signal, waitMs: 60_000 })).data,
    0,
  ).state.value
  const action = useAction()
  const [syncs, setSyncs] = useState(0)
  const { value: loads = [], error } = state.value
  const misfits = misfitsOf(loads, conflicts.value ?? [])
  const sync = (): void =>
    void action.run(async () => {
      await request(`${base}/sync`, { method: 'POST', waitMs: 60_000 })
      await Promise.all([refresh(), onLoaded()])
      setSyncs(syncs + 1)
      return 'Everything that was accepted so far is loaded.'
    })
  return (
    <>
      <PageHead
        title="Warehouse"
        note={`${name}. ${note}`}
        state={
          <>
            <Tag>{type}</Tag>
            {failingSince ? (
              <Pill state="bad">
                Fails since&nbsp;
                <Time at={failingSince} />
              </Pill>
            ) : (
              <Pill state="good">Works</Pill>
            )}
          </>
        }
        actions={
          <>
            {choice}
            {allows('operate') ? (
              <button type="button" disabled={action.isBusy} onClick={sync}>
                <Icon name="download" />
                Load now
              </button>
            ) : null}
            <a class="btn ghost" href={addressOf(`/destinations/${encodeURIComponent(id)}`)}>
              <Icon name="settings-2" />
              Settings
            </a>
          </>
        }
      />
      <Outcome action={action} />
      {problem === undefined ? null : <Notice kind="bad">{problem}</Notice>}
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {failingSince && warehouse.lastLoad?.error ? <Notice kind="bad">{warehouse.lastLoad.error}</Notice> : null}
      <LoadTiles warehouse={warehouse} loads={loads} misfits={misfits} />
      {type === 'DUCKDB' && allows('operate') && allows('write') ? (
        <SqlWindow base={base} misfits={misfits} syncs={syncs} />
      ) : null}
      <div class="grid two">
        <LoadsPanel loads={loads} tables={loadedTables(loads)} />
        <MisfitsPanel misfits={misfits} problem={conflicts.error?.message} />
      </div>
    </>
  )
}
