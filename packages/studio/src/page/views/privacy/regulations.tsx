import { useEffect } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { allows } from '../../api/session.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Time } from '../../parts/format/time.tsx'
import { Notice } from '../../parts/notice.tsx'
import { addressOf, filters, setFilters } from '../../shell/router.ts'
import { type Overview, typeText } from './regulation.ts'

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
    <section>
      <h2>Regulations</h2>
      <fieldset class="row filters">
        <legend class="unseen">Filters of the regulations</legend>
        <Choice
          title="what"
          value={regulationType}
          options={{ suppress: 'suppress', suppress_with_delete: 'suppress and delete' }}
          onChange={(chosen) => choose({ regulationType: chosen })}
        />
        <Choice
          title="state"
          value={state}
          options={{ inForce: 'in force', canceled: 'cancelled' }}
          onChange={(chosen) => choose({ state: chosen })}
        />
        {allows('operate') ? (
          <Choice
            title="deletions"
            value={deletions}
            options={{ open: 'open', aborted: 'aborted' }}
            onChange={(chosen) => choose({ deletions: chosen })}
          />
        ) : null}
      </fieldset>
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {value ? (
        <>
          <DataTable
            caption="Regulations, in order of creation"
            rows={value.data}
            keyOf={({ id }) => id}
            empty={given.length > 0 ? 'No regulation matches here.' : 'There is no regulation: no user is suppressed.'}
            columns={[
              {
                title: 'user',
                cell: ({ attributes }) => (
                  <a href={addressOf('/privacy', { user: attributes['userId'] })}>{attributes['userId']}</a>
                ),
              },
              { title: 'what', cell: typeText },
              { title: 'state', cell: ({ state }) => (state === 'canceled' ? 'cancelled' : 'in force') },
              { title: 'since', cell: ({ createdAt }) => <Time at={createdAt} /> },
              { title: 'deletions', cell: ({ deletions }) => (deletions ? progressText(deletions) : '') },
              { title: 'id', cell: ({ id }) => <code>{id}</code> },
            ]}
          />
          <p class="row">
            <button type="button" disabled={after_cursor === ''} onClick={() => choose({})}>
              First page
            </button>
            <button type="button" disabled={!next} onClick={() => choose({ after_cursor: next ?? '' })}>
              Next
            </button>
          </p>
        </>
      ) : null}
    </section>
  )
}

function progressText({ total, complete, open, aborted, waiting }: NonNullable<Overview['deletions']>): string {
  const needsKey = waiting !== undefined && ` (${waiting} of them need SLUICE_LEDGER_KEY)`
  return [
    `${complete} of ${total} done`,
    open > 0 && `${open} open${needsKey || ''}`,
    aborted > 0 && `${aborted} aborted`,
  ]
    .filter(Boolean)
    .join(', ')
}

function Choice({
  title,
  value,
  options,
  onChange,
}: {
  readonly title: string
  readonly value: string
  readonly options: Readonly<Record<string, string>>
  readonly onChange: (chosen: string) => void
}) {
  return (
    <label>
      {title}
      <select value={value} onChange={(change) => onChange(change.currentTarget.value)}>
        <option value="">all</option>
        {Object.entries(options).map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
