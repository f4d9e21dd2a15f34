import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Time } from '../../parts/format/time.tsx'
import { Notice } from '../../parts/notice.tsx'
import { filters, setFilters } from '../../shell/router.ts'

interface Entry {
  readonly id: number
  readonly at: string
  readonly token: string
  readonly user: string
  readonly method: string
  readonly path: string
  readonly status: number
}
interface Page {
  readonly data: readonly Entry[]
  readonly paging: { readonly next?: string }
}

const methods = ['POST', 'PUT', 'DELETE', 'GET']

/** Who changed what, or read personal data unmasked: one page, with filters. */
export function ChangesView() {
  const { token = '', method = '', path = '', after = '' } = filters.value
  const given = Object.entries({ token, method, path, after }).filter(([, text]) => text !== '')
  const address = `/v2/audit?${new URLSearchParams(given)}`
  const { value, error } = usePolled(address, (signal) => request<Page>(address, { signal }), 10_000).state.value
  const entries = value?.data ?? []
  // Other filters begin at the first page.
  const choose = (changed: Readonly<Record<string, string>>): void => setFilters({ ...changed, after: '' })
  return (
    <>
      <fieldset class="row filters">
        <legend class="unseen">Filters of the changes</legend>
        <label>
          token
          <input type="search" value={token} onChange={(change) => choose({ token: change.currentTarget.value })} />
        </label>
        <label>
          method
          <select value={method} onChange={(change) => choose({ method: change.currentTarget.value })}>
            <option value="">all</option>
            {methods.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <label>
          path begins with
          <input type="search" value={path} onChange={(change) => choose({ path: change.currentTarget.value })} />
        </label>
      </fieldset>
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      <DataTable
        caption="Calls that changed something, or read personal data unmasked"
        rows={entries}
        keyOf={({ id }) => String(id)}
        empty="No call matches."
        columns={[
          { title: 'when', cell: ({ at }) => <Time at={at} /> },
          { title: 'token', cell: ({ token }) => token },
          { title: 'user', cell: ({ user }) => user },
          { title: 'call', cell: ({ method, path }) => <code>{`${method} ${path}`}</code> },
          { title: 'answer', cell: ({ status }) => status, isNumber: true },
        ]}
      />
      <div class="row">
        {after === '' ? null : (
          <button type="button" onClick={() => choose({})}>
            Newest
          </button>
        )}
        {value?.paging.next === undefined ? null : (
          <button type="button" onClick={() => setFilters({ after: String(entries.at(-1)?.id) })}>
            Older
          </button>
        )}
      </div>
    </>
  )
}
