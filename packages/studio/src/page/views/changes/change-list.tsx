import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { FilterSelect } from '../../parts/fields/filter-select.tsx'
import { countText } from '../../parts/format/count.tsx'
import { Time } from '../../parts/format/time.tsx'
import { Notice } from '../../parts/notice.tsx'
import { EmptyState } from '../../parts/page/empty-state.tsx'
import { Panel } from '../../parts/page/panel.tsx'
import { Skeleton } from '../../parts/page/skeleton.tsx'
import { Icon } from '../../parts/signs/icon.tsx'
import { filters, setFilters } from '../../shell/router.ts'
import { type Change, kindTexts, lookOf, pageOf, partTexts } from './change.ts'
import { Pages } from './pages.tsx'

interface Page {
  readonly data: readonly Change[]
  readonly paging: { readonly next?: string }
}

/** Changes as sentences, a page at a time, with the call below each. */
export function ChangeList() {
  const { kind = '', part = '', since = '', after = '' } = filters.value
  const isDay = /^\d{4}-\d\d-\d\d$/.test(since)
  const given = { kind, subjectKind: part, since: isDay ? `${since}T00:00:00Z` : '', after }
  const set = Object.entries(given).filter(([, text]) => text !== '')
  const address = `/v2/changes?${new URLSearchParams(set)}`
  const { value, error } = usePolled(address, (signal) => request<Page>(address, { signal }), 10_000).state.value
  // Other filters begin at the first page.
  const choose = (changed: Readonly<Record<string, string>>): void => setFilters({ ...changed, after: '' })
  return (
    <Panel
      title="What changed"
      note="The newest 100,000 changes of all workspaces are kept. What only reads is not a change."
      isFlush
      actions={
        <fieldset class="row">
          <legend class="unseen">Filters of the changes</legend>
          <FilterSelect
            title="What was done"
            value={kind}
            options={kindTexts}
            onChange={(text) => choose({ kind: text })}
          />
          <FilterSelect title="To what" value={part} options={partTexts} onChange={(text) => choose({ part: text })} />
          <label>
            Since
            <input
              type="date"
              value={since}
              max={new Date().toISOString().slice(0, 10)}
              onChange={(event) => choose({ since: event.currentTarget.value })}
            />
          </label>
        </fieldset>
      }
      foot={
        <>
          <span>{value ? `${countText(value.data.length)} changes on this page` : ''}</span>
          <Pages after={after} last={value?.paging.next === undefined ? undefined : value.data.at(-1)?.id} />
        </>
      }
    >
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {value === undefined ? (
        error ? null : (
          <div class="panel-body">
            <Skeleton lines={5} />
          </div>
        )
      ) : value.data.length === 0 ? (
        <EmptyState icon="rotate-ccw-clock" title={set.length > 0 ? 'No change matches' : 'Nothing has changed yet'}>
          {set.length > 0
            ? 'Choose other filters to see more.'
            : 'What somebody creates, changes or publishes is listed here.'}
        </EmptyState>
      ) : (
        <ol class="list changes">
          {value.data.map((change) => (
            <Entry key={change.id} change={change} />
          ))}
        </ol>
      )}
    </Panel>
  )
}

function Entry({ change }: { readonly change: Change }) {
  const { icon, state } = lookOf(change)
  const { who, text, call, before, after, at } = change
  const page = pageOf(change)
  return (
    <li class={state}>
      <span class="mark">
        <Icon name={icon} />
      </span>
      <span>
        <b>{who}</b> {page === undefined ? text : <a href={page}>{text}</a>}
        {before === undefined && after === undefined ? null : (
          <small>
            {before ?? 'nothing'} → {after ?? 'nothing'}
          </small>
        )}
        {call === undefined ? null : <small class="mono">{call}</small>}
      </span>
      <small class="when">
        <Time at={at} />
      </small>
    </li>
  )
}
