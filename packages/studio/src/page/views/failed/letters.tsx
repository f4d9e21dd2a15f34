import { useState } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Time } from '../../parts/format/time.tsx'
import { Notice } from '../../parts/notice.tsx'
import { addressOf, filters } from '../../shell/router.ts'
import type { DeadLetter } from './dead-letter.ts'
import { ReplayJob } from './replay-job.tsx'

interface Page {
  readonly data: readonly DeadLetter[]
  readonly paging: { readonly next?: string }
}

/** The letters of one group, newest first, a page at a time. */
export function Letters() {
  const { destination, code, reason } = filters.value
  const query = new URLSearchParams({ order: 'desc', masked: 'true' })
  for (const [name, value] of [
    ['destinationId', destination],
    ['code', code],
    ['reason', reason],
  ] as const)
    if (value) query.set(name, value)
  const first = `/v2/dead-letters?${query}`
  const [pages, setPages] = useState<readonly string[]>([first])
  const current = pages.at(-1) ?? first
  const { state, refresh } = usePolled(current, (signal) => request<Page>(current, { signal }), 5_000)
  const { value, error } = state.value
  return (
    <>
      <p>
        <a href={addressOf('/failed')}>All groups</a>
      </p>
      <h2>
        {destination} {code ? <code>{code}</code> : null} {reason}
      </h2>
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {value ? (
        <>
          <DataTable
            caption="Failed events, newest first"
            rows={value.data}
            keyOf={({ id }) => id}
            empty="There are none any more."
            columns={[
              {
                title: 'messageId',
                cell: ({ id, messageId }) => <a href={addressOf(`/failed/${id}`)}>{messageId}</a>,
              },
              { title: 'failed', cell: ({ at }) => <Time at={at} /> },
              { title: 'source', cell: ({ sourceId }) => sourceId },
              { title: 'event', cell: ({ event }) => `${event['type'] ?? ''} ${event['event'] ?? ''}` },
              { title: 'status', isNumber: true, cell: ({ status }) => status ?? '' },
            ]}
          />
          <p class="row">
            <button type="button" disabled={pages.length < 2} onClick={() => setPages(pages.slice(0, -1))}>
              Newer
            </button>
            <button
              type="button"
              disabled={!value.paging.next}
              onClick={() => value.paging.next && setPages([...pages, value.paging.next])}
            >
              Older
            </button>
          </p>
          <ReplayJob
            choice={{ ids: value.data.map(({ id }) => id) }}
            count={value.data.length}
            onDone={() => void refresh()}
          />
        </>
      ) : null}
    </>
  )
}
