import { useState } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Time } from '../../parts/format/time.tsx'
import { Notice } from '../../parts/notice.tsx'
import { PageHead } from '../../parts/page/page-head.tsx'
import { Panel } from '../../parts/page/panel.tsx'
import { Skeleton } from '../../parts/page/skeleton.tsx'
import { addressOf, filters } from '../../shell/router.ts'
import { reasonText } from '../watch/letter-groups.ts'
import { nameIn, readWatchedPlaces } from '../watch/watched-places.ts'
import type { LetterPage } from './dead-letter.ts'
import { ReplayJob } from './replay-job.tsx'

/** The failed events of one reason, newest first, a page at a time. */
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
  const { state, refresh } = usePolled(current, (signal) => request<LetterPage>(current, { signal }), 5_000)
  const places = usePolled('letters-places', readWatchedPlaces, 0).state.value.value
  const { value, error } = state.value
  const at = destination ? nameIn(places?.destinations ?? [], destination) : 'all destinations'
  return (
    <>
      <PageHead
        title="Failed events"
        crumbs={[{ text: 'By reason', href: addressOf('/failed', { destination, code, reason }) }]}
        note={`${reason ? `${reasonText(reason)} ` : ''}At ${at}${code ? `, ${code}` : ''}, newest first.`}
        actions={
          value ? (
            <ReplayJob
              choice={{ ids: value.data.map(({ id }) => id) }}
              count={value.data.length}
              onDone={() => void refresh()}
            />
          ) : undefined
        }
      />
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {value === undefined && !error ? <Skeleton isTall /> : null}
      {value ? (
        <Panel
          title="Events"
          isFlush
          foot={
            <div class="row">
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
            </div>
          }
        >
          <DataTable
            caption="Failed events, newest first"
            isCaptionUnseen
            rows={value.data}
            keyOf={({ id }) => id}
            empty="There are none any more."
            columns={[
              {
                title: 'Event',
                cell: ({ id, event, messageId }) => (
                  <>
                    <a href={addressOf(`/failed/${encodeURIComponent(id)}`)}>
                      {String(event['event'] ?? event['type'] ?? 'Event')}
                    </a>
                    <small class="mono">{messageId}</small>
                  </>
                ),
              },
              { title: 'Failed', cell: ({ at }) => <Time at={at} /> },
              { title: 'Source', cell: ({ sourceId }) => nameIn(places?.sources ?? [], sourceId) },
              { title: 'Destination', cell: (each) => nameIn(places?.destinations ?? [], each.destinationId) },
              { title: 'Status', isNumber: true, cell: ({ status }) => status ?? '' },
            ]}
          />
        </Panel>
      ) : null}
    </>
  )
}
