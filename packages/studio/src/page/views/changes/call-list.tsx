import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { FilterSelect } from '../../parts/fields/filter-select.tsx'
import { Time } from '../../parts/format/time.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page/panel.tsx'
import { Skeleton } from '../../parts/page/skeleton.tsx'
import { Tag } from '../../parts/signs/tag.tsx'
import { filters, setFilters } from '../../shell/router.ts'
import { Pages } from './pages.tsx'

/** A call, as `GET /v2/audit` lists it. */
interface Call {
  readonly id: number
  readonly at: string
  readonly token: string
  readonly user: string
  readonly method: string
  readonly path: string
  readonly status: number
}

interface Page {
  readonly data: readonly Call[]
  readonly paging: { readonly next?: string }
}

const methods = { POST: 'POST', PUT: 'PUT', DELETE: 'DELETE', GET: 'GET' } as const

/** Every call that changed something or read personal data unmasked, with its answer. */
export function CallList() {
  const { token = '', method = '', path = '', after = '' } = filters.value
  const given = Object.entries({ token, method, path, after }).filter(([, text]) => text !== '')
  const address = `/v2/audit?${new URLSearchParams(given)}`
  const { value, error } = usePolled(address, (signal) => request<Page>(address, { signal }), 10_000).state.value
  // Other filters begin at the first page.
  const choose = (changed: Readonly<Record<string, string>>): void => setFilters({ ...changed, after: '' })
  return (
    <Panel
      title="Calls"
      note="Calls that changed something, or read personal data unmasked; refused ones, too."
      isFlush
      actions={
        <fieldset class="row">
          <legend class="unseen">Filters of the calls</legend>
          <label>
            Token
            <input type="search" value={token} onChange={(event) => choose({ token: event.currentTarget.value })} />
          </label>
          <FilterSelect title="Method" value={method} options={methods} onChange={(text) => choose({ method: text })} />
          <label>
            Path begins with
            <input type="search" value={path} onChange={(event) => choose({ path: event.currentTarget.value })} />
          </label>
        </fieldset>
      }
      foot={<Pages after={after} last={value?.paging.next === undefined ? undefined : value.data.at(-1)?.id} />}
    >
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {value === undefined ? (
        error ? null : (
          <div class="panel-body">
            <Skeleton lines={5} />
          </div>
        )
      ) : (
        <DataTable
          caption="Calls that changed something, or read personal data unmasked"
          rows={value.data}
          keyOf={({ id }) => String(id)}
          empty="No call matches."
          columns={[
            { title: 'When', cell: ({ at }) => <Time at={at} /> },
            { title: 'Token', cell: ({ token }) => token },
            { title: 'User', cell: ({ user }) => user },
            { title: 'Call', cell: ({ method, path }) => <code>{`${method} ${path}`}</code> },
            {
              title: 'Answer',
              isNumber: true,
              cell: ({ status }) => (
                <Tag isMono {...(status >= 400 ? { state: 'bad' as const } : {})}>
                  {status}
                </Tag>
              ),
            },
          ]}
        />
      )}
    </Panel>
  )
}
