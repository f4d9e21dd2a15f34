import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Count } from '../../parts/format/count.tsx'
import { Time } from '../../parts/format/time.tsx'
import { Notice } from '../../parts/notice.tsx'
import { addressOf, path } from '../../shell/router.ts'
import { OneWarehouse } from './one-warehouse.tsx'
import type { Warehouse } from './warehouse.ts'

/** All warehouses, or the loads of one. */
export function WarehouseView() {
  const [, id] = /^\/warehouse\/(.+)$/.exec(path.value) ?? []
  return id === undefined ? <All /> : <OneWarehouse id={decodeURIComponent(id)} />
}

function All() {
  const { value, error } = usePolled(
    'warehouses',
    (signal) => request<{ readonly data: readonly Warehouse[] }>('/v2/warehouses', { signal }),
    5_000,
  ).state.value
  return (
    <>
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {value ? (
        <DataTable
          caption="Warehouses"
          rows={value.data}
          keyOf={({ destinationId }) => destinationId}
          empty="No destination of this workspace is a warehouse. DUCKDB needs no server: a file is enough."
          columns={[
            {
              title: 'warehouse',
              cell: ({ destinationId }) => (
                <a href={addressOf(`/warehouse/${encodeURIComponent(destinationId)}`)}>{destinationId}</a>
              ),
            },
            { title: 'collected', isNumber: true, cell: ({ collected }) => <Count value={collected} /> },
            {
              title: 'last load',
              cell: ({ lastLoad }) => (lastLoad ? <Time at={lastLoad.endedAt} /> : 'none yet'),
            },
            {
              title: 'state',
              cell: ({ failingSince, lastLoad }) =>
                failingSince ? (
                  <span class="in bad">
                    fails since <Time at={failingSince} />: {lastLoad?.error}
                  </span>
                ) : (
                  <span class="in good">works</span>
                ),
            },
          ]}
        />
      ) : null}
    </>
  )
}
