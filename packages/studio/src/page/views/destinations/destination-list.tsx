import { usePolled } from '../../api/polled.ts'
import { allows } from '../../api/session.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Notice } from '../../parts/notice.tsx'
import { addressOf } from '../../shell/router.ts'
import { readRecords } from './records.ts'

/** All destinations. */
export function DestinationList() {
  const { state } = usePolled('records', readRecords, 10_000)
  const { value, error } = state.value
  return (
    <>
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {value ? (
        <>
          <DataTable
            caption="Destinations"
            rows={value.destinations}
            keyOf={({ id }) => id}
            empty="There is no destination yet."
            columns={[
              {
                title: 'name',
                cell: ({ id, name }) => <a href={addressOf(`/destinations/${encodeURIComponent(id)}`)}>{name}</a>,
              },
              { title: 'type', cell: ({ type }) => type },
              {
                title: 'state',
                cell: ({ enabled, problems }) =>
                  problems ? (
                    <span class="in bad">not in use: {problems[0]?.allowed}</span>
                  ) : enabled ? (
                    'enabled'
                  ) : (
                    'disabled'
                  ),
              },
              { title: 'transformation', cell: ({ transformation }) => transformation?.name ?? '' },
              { title: 'managed by', cell: ({ managedBy }) => managedBy },
            ]}
          />
          {allows('write') && allows('operate') ? (
            <p>
              <a href={addressOf('/destinations/new')}>Add a destination</a>
            </p>
          ) : null}
        </>
      ) : null}
    </>
  )
}
