import { useState } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { shortCount } from '../../parts/format/short-count.ts'
import { Notice } from '../../parts/notice.tsx'
import { PageHead } from '../../parts/page/page-head.tsx'
import { RangeSwitch, rangeOf } from '../../parts/page/range-switch.tsx'
import { Skeleton } from '../../parts/page/skeleton.tsx'
import { Tabs } from '../../parts/page/tabs.tsx'
import { LetterMark } from '../../parts/signs/letter-mark.tsx'
import { Tag } from '../../parts/signs/tag.tsx'
import { addressOf, filters, setFilters } from '../../shell/router.ts'
import { useCircuits } from './circuit.tsx'
import { LastDeliveries } from './deliveries.tsx'
import { DestinationHealth } from './health/destination-health.tsx'
import { FailedHere, useFailedHere } from './health/failed-here.tsx'
import { HealthPill } from './health/health-pill.tsx'
import type { Destination } from './records.ts'
import { DestinationForm } from './settings/destination-form.tsx'
import { FixedSettings } from './settings/fixed-settings.tsx'
import { useDefinitions } from './settings/use-definitions.ts'
import { Trial } from './trial.tsx'
import { WayTo } from './way-to.tsx'

type TabId = 'health' | 'settings' | 'try' | 'failed' | 'last'

/** One destination: how well it receives, its settings, a try of an event, what failed, and what it got last. */
export function DestinationPage({ id }: { readonly id: string }) {
  const { value: definitions, error: noDefinitions } = useDefinitions()
  const path = `/v2/destinations/${encodeURIComponent(id)}`
  const { state, refresh } = usePolled(
    path,
    async (signal) => (await request<{ readonly destination: Destination }>(path, { signal })).destination,
    10_000,
  )
  const { value: newest, error } = state.value
  // What is being edited stays as it is when the destination is changed elsewhere.
  const [edited, setEdited] = useState<Destination>()
  const destination = edited ?? newest
  if (newest && edited === undefined) setEdited(newest)
  const circuits = useCircuits()
  const circuit = circuits.of(id)
  const failed = useFailedHere(id)
  const problem = noDefinitions ?? error
  const crumbs = [{ text: 'Destinations', href: addressOf('/destinations') }]
  if (destination === undefined || newest === undefined)
    return (
      <>
        <PageHead title="Destination" crumbs={crumbs} />
        {problem ? <Notice kind="bad">{problem.message}</Notice> : <Skeleton lines={6} />}
      </>
    )
  const definition = definitions?.find(
    (each) => each.type === destination.type || each.otherTypes?.includes(destination.type),
  )
  const isOutdated = destination.revision !== newest.revision
  const mayOperate = allows('operate')
  const asked = filters.value['tab']
  const range = rangeOf(filters.value['range'])
  const settings = () => (
    <div class="stack">
      {isOutdated ? (
        <Notice kind="plain">
          It was changed elsewhere.{' '}
          <button type="button" onClick={() => setEdited(newest)}>
            Show how it is now
          </button>
        </Notice>
      ) : null}
      {destination.managedBy === 'file' ? (
        <FixedSettings definition={definition} destination={newest} />
      ) : definition ? (
        <DestinationForm
          key={`${destination.id} ${destination.revision}`}
          definition={definition}
          destination={destination}
          pending={circuit?.waiting ?? 0}
          onSaved={() => void refresh().then(() => setEdited(undefined))}
        />
      ) : (
        <Skeleton lines={6} />
      )}
    </div>
  )
  const failedCount = failed.groups?.reduce((sum, { count }) => sum + count, 0) ?? 0
  const tabs = [
    ...(mayOperate
      ? [
          {
            id: 'health' as const,
            title: 'Health',
            content: () => (
              <DestinationHealth destination={newest} circuit={circuit} range={range} onChanged={circuits.refresh} />
            ),
          },
        ]
      : []),
    { id: 'settings' as const, title: 'Settings', content: settings },
    ...(mayOperate
      ? [
          { id: 'try' as const, title: 'Try an event', content: () => <Trial destination={newest} /> },
          {
            id: 'failed' as const,
            title: 'Failed',
            ...(failedCount > 0 ? { count: shortCount(failedCount), isBad: true } : {}),
            content: () => <FailedHere id={id} failed={failed} />,
          },
          { id: 'last' as const, title: 'Last requests', content: () => <LastDeliveries id={id} /> },
        ]
      : []),
  ]
  const shown: TabId = tabs.find((tab) => tab.id === asked)?.id ?? tabs[0]?.id ?? 'settings'
  return (
    <>
      <PageHead
        title={newest.name}
        crumbs={crumbs}
        state={
          <>
            <LetterMark name={definition?.displayName ?? newest.type} />
            <Tag>{definition?.displayName ?? newest.type}</Tag>
            <HealthPill isEnabled={newest.enabled} circuit={circuit} />
          </>
        }
        actions={
          shown === 'health' ? <RangeSwitch value={range} onChange={(value) => setFilters({ range: value })} /> : null
        }
      />
      {problem ? <Notice kind="bad">{problem.message}</Notice> : null}
      <WayTo destination={newest} type={definition?.displayName ?? newest.type} />
      <Tabs label="Parts of the destination" value={shown} onChange={(tab) => setFilters({ tab })} tabs={tabs} />
    </>
  )
}
