import './warehouse.css'
import { usePolled } from '../../api/polled.ts'
import { readAll } from '../../api/read-all.ts'
import { request } from '../../api/request.ts'
import { Segmented } from '../../parts/fields/segmented.tsx'
import { Notice } from '../../parts/notice.tsx'
import { EmptyState } from '../../parts/page/empty-state.tsx'
import { PageHead } from '../../parts/page/page-head.tsx'
import { Skeleton } from '../../parts/page/skeleton.tsx'
import { addressOf, go, path } from '../../shell/router.ts'
import { OneWarehouse } from './one-warehouse.tsx'
import type { Warehouse } from './warehouse.ts'

const note = 'What was loaded, what is in it, and what did not fit.'

interface Destination {
  readonly id: string
  readonly name: string
  readonly type: string
}

const read = async (signal: AbortSignal) => {
  const [{ data }, destinations] = await Promise.all([
    request<{ readonly data: readonly Warehouse[] }>('/v2/warehouses', { signal }),
    readAll<Destination>('/v2/destinations', 'destinations', signal),
  ])
  return data.map((warehouse) => {
    const destination = destinations.find(({ id }) => id === warehouse.destinationId)
    return { warehouse, name: destination?.name ?? warehouse.destinationId, type: destination?.type ?? '' }
  })
}

/** One warehouse: its state, its tables, and queries; with several, one chooses. */
export function WarehouseView() {
  const [, opened] = /^\/warehouse\/(.+)$/.exec(path.value) ?? []
  const { state, refresh } = usePolled('warehouses', read, 5_000)
  const { value, error } = state.value
  const wanted = opened === undefined ? undefined : decodeURIComponent(opened)
  const chosen = value?.find(({ warehouse }) => wanted === undefined || warehouse.destinationId === wanted)
  if (value === undefined || chosen === undefined)
    return (
      <>
        <PageHead title="Warehouse" note={note} />
        {error ? <Notice kind="bad">{error.message}</Notice> : null}
        {value === undefined ? error ? null : <Skeleton isTall /> : <NoWarehouse wanted={wanted} />}
      </>
    )
  const { destinationId } = chosen.warehouse
  return (
    <OneWarehouse
      key={destinationId}
      warehouse={chosen.warehouse}
      name={chosen.name}
      type={chosen.type}
      problem={error?.message}
      note={note}
      onLoaded={refresh}
      choice={
        value.length < 2 ? null : (
          <Segmented
            label="Warehouse"
            value={destinationId}
            options={value.map(({ warehouse, name }) => ({ value: warehouse.destinationId, text: name }))}
            onChange={(id) => go(`/warehouse/${encodeURIComponent(id)}`)}
          />
        )
      }
    />
  )
}

function NoWarehouse({ wanted }: { readonly wanted: string | undefined }) {
  if (wanted !== undefined)
    return (
      <EmptyState
        icon="database"
        title="No such warehouse"
        action={<a href={addressOf('/warehouse')}>All warehouses</a>}
      >
        No destination {wanted} of this workspace is a warehouse.
      </EmptyState>
    )
  return (
    <EmptyState
      icon="database"
      title="No destination of this workspace is a warehouse"
      action={<a href={addressOf('/destinations/new')}>Add a destination</a>}
    >
      DuckDB needs no server: a file is enough.
    </EmptyState>
  )
}
