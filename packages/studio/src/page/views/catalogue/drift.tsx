import type { CatalogueDrift } from '@sluice/http'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Notice } from '../../parts/notice.tsx'
import { addressOf } from '../../shell/router.ts'

/** What is new in the catalogue since the beginning of a day in UTC. */
export function Drift({ day }: { readonly day: string }) {
  const path = `/v2/catalogue/drift?since=${day}T00:00:00Z`
  const { value, error } = usePolled(path, (signal) => request<CatalogueDrift>(path, { signal }), 10_000).state.value
  if (error) return <Notice kind="bad">{error.message}</Notice>
  if (value === undefined) return null
  return (
    <DataTable
      caption={`New or changed since ${day}, 0:00 UTC`}
      rows={value.models}
      keyOf={({ model }) => model.id}
      empty={`Nothing is new since ${day}: every event has the keys and types it had before.`}
      columns={[
        {
          title: 'event',
          cell: ({ model: { id, type, event } }) => (
            <a href={addressOf(`/catalogue/${id}`)}>
              {type} {event}
            </a>
          ),
        },
        { title: 'source', cell: ({ model }) => model.sourceId },
        { title: 'event is', cell: ({ isNew }) => (isNew ? 'new' : 'known') },
        { title: 'new versions', isNumber: true, cell: ({ versions }) => versions.length },
        { title: 'new keys', cell: ({ newKeys }) => Object.keys(newKeys).join(', ') },
        {
          title: 'changed types',
          cell: ({ changedKeys }) =>
            Object.entries(changedKeys)
              .map(([key, { from, to }]) => `${key} ${from.join(' or ')} → ${to}`)
              .join(', '),
        },
      ]}
    />
  )
}
