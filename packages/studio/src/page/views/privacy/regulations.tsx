import { useEffect } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { FilterSelect } from '../../parts/fields/filter-select.tsx'
import { Time } from '../../parts/format/time.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page/panel.tsx'
import { Skeleton } from '../../parts/page/skeleton.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import { Pill } from '../../parts/signs/pill.tsx'
import { addressOf, filters, setFilters } from '../../shell/router.ts'
import { type Overview, typeText } from './regulation.ts'
import { SuppressedToday } from './suppressed-today.tsx'
import { wantedPerson } from './wanted-person.ts'

interface Page {
  readonly data: readonly Overview[]
  readonly paging: { readonly next?: string }
}

const pageSize = 100

/**
 * All regulations of the workspace, with filters, a page at a time, in order of creation.
 *
 * @param changes another number reads them again at once.
 */
export function Regulations({ changes }: { readonly changes: number }) {
  const { regulationType = '', state = '', deletions = '', after_cursor = '' } = filters.value
  const given = Object.entries({ regulationType, state, deletions, after_cursor }).filter(([, text]) => text !== '')
  const address = `/v2/regulations/overview?${new URLSearchParams([...given, ['limit', String(pageSize)]])}`
  const { state: polled, refresh } = usePolled(address, (signal) => request<Page>(address, { signal }), 5_000)
  useEffect(() => {
    if (changes > 0) void refresh()
  }, [changes])
  const { value, error } = polled.value
  const next = value?.paging.next && new URL(value.paging.next, location.origin).searchParams.get('after_cursor')
  // Other filters begin at the first page.
  const choose = (changed: Readonly<Record<string, string>>): void => setFilters({ after_cursor: '', ...changed })
  return (
    <Panel
      title="All requests"
      note="Suppressions and deletions of people, in order of creation."
      kind="on-screen"
      isFlush
      actions={
        <fieldset class="row">
          <legend class="unseen">Filters of the requests</legend>
          <FilterSelect
            title="What"
            value={regulationType}
            options={{ suppress: 'Suppress', suppress_with_delete: 'Suppress and delete' }}
            onChange={(chosen) => choose({ regulationType: chosen })}
          />
          <FilterSelect
            title="State"
            value={state}
            options={{ inForce: 'In force', canceled: 'Lifted' }}
            onChange={(chosen) => choose({ state: chosen })}
          />
          {allows('operate') ? (
            <FilterSelect
              title="Deletions"
              value={deletions}
              options={{ open: 'Open', aborted: 'Need a person' }}
              onChange={(chosen) => choose({ deletions: chosen })}
            />
          ) : null}
        </fieldset>
      }
      foot={
        <>
          {allows('operate') ? <SuppressedToday /> : null}
          {after_cursor !== '' || next ? (
            <span class="row">
              <button type="button" class="small" disabled={after_cursor === ''} onClick={() => choose({})}>
                First page
              </button>
              <button type="button" class="small" disabled={!next} onClick={() => choose({ after_cursor: next ?? '' })}>
                Next
              </button>
            </span>
          ) : null}
        </>
      }
    >
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {value === undefined ? (
        error ? null : (
          <div class="panel-body">
            <Skeleton lines={3} />
          </div>
        )
      ) : (
        <DataTable
          caption="Requests of people, in order of creation"
          rows={value.data}
          keyOf={({ id }) => id}
          empty={given.length > 0 ? 'No request matches here.' : 'There is no request: no person is suppressed.'}
          columns={[
            { title: 'Person', cell: (row) => <PersonLink row={row} /> },
            { title: 'What', cell: typeText },
            { title: 'State', cell: (row) => <State row={row} /> },
            { title: 'When', cell: ({ createdAt }) => <Time at={createdAt} /> },
            {
              title: 'Proof',
              cell: ({ id, deletions }) =>
                deletions && deletions.open === 0 && deletions.total > 0 ? (
                  <a class="btn small ghost" href={addressOf(`/privacy/certificates/${encodeURIComponent(id)}`)}>
                    <Icon name="file-check" />
                    Certificate
                  </a>
                ) : null,
            },
          ]}
        />
      )}
    </Panel>
  )
}

/** Leads to the person by the id of the regulation; who may not read deletions gets there without an address. */
function PersonLink({ row: { id, attributes } }: { readonly row: Overview }) {
  const userId = attributes['userId'] ?? ''
  if (allows('operate')) return <a href={addressOf(`/privacy/requests/${encodeURIComponent(id)}`)}>{userId}</a>
  const look = (): void => {
    wantedPerson.value = { identifier: userId, isUserId: true }
  }
  return (
    <button type="button" class="ghost small" onClick={look}>
      {userId}
    </button>
  )
}

function State({ row: { state, deletions } }: { readonly row: Overview }) {
  if (state === 'canceled') return <Pill state="idle">Lifted</Pill>
  if (deletions === undefined) return <Pill state="guard">In force</Pill>
  const { open, aborted } = deletions
  return <Pill state={open > 0 ? 'wait' : aborted > 0 ? 'bad' : 'good'}>{progressText(deletions)}</Pill>
}

function progressText({ total, complete, open, aborted, waiting }: NonNullable<Overview['deletions']>): string {
  const needsKey = waiting !== undefined && ` (${waiting} of them need SLUICE_LEDGER_KEY)`
  return [
    `${complete} of ${total} done`,
    open > 0 && `${open} open${needsKey || ''}`,
    aborted > 0 && (aborted === 1 ? '1 needs a person' : `${aborted} need a person`),
  ]
    .filter(Boolean)
    .join(', ')
}
