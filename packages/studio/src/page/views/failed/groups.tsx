import { useState } from 'preact/hooks'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { DataTable } from '../../parts/data-table.tsx'
import { Count } from '../../parts/format/count.tsx'
import { Time } from '../../parts/format/time.tsx'
import { Notice } from '../../parts/notice.tsx'
import { addressOf, filters } from '../../shell/router.ts'
import type { LetterGroup } from './dead-letter.ts'
import { ReplayButton, ReplayProgress } from './replay-job.tsx'

/** Groups that the server lists; there may be more. */
const groupsMax = 500

/** Failed events by destination, code and reason. */
export function Groups() {
  const { state, refresh } = usePolled(
    'groups',
    (signal) => request<{ groups: readonly LetterGroup[] }>('/v2/dead-letters/groups', { signal }),
    5_000,
  )
  const [jobId, setJobId] = useState<string>()
  const { value, error } = state.value
  const { destination } = filters.value
  const groups = value?.groups.filter((group) => !destination || group.destinationId === destination) ?? []
  return (
    <>
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {destination ? (
        <p>
          Only at {destination}. <a href={addressOf('/failed')}>Show all</a>
        </p>
      ) : null}
      {/* Not in its row, which disappears with the last event of the group. */}
      {jobId === undefined ? null : <ReplayProgress key={jobId} id={jobId} onDone={() => void refresh()} />}
      {value && groups.length > 1 ? (
        <div class="row">
          <ReplayButton
            choice={destination ? { destinationId: destination } : { since: new Date(0).toISOString() }}
            count={groups.reduce((sum, { count }) => sum + count, 0)}
            isAtLeast={value.groups.length >= groupsMax}
            onStarted={setJobId}
          />
        </div>
      ) : null}
      {value ? (
        <DataTable
          caption="Failed events, by where and why"
          rows={groups}
          keyOf={({ destinationId, code, reason }) => `${destinationId} ${code} ${reason}`}
          empty="No event has failed."
          columns={[
            { title: 'destination', cell: ({ destinationId }) => destinationId },
            {
              title: 'why',
              cell: ({ destinationId, code, reason }) => (
                <a href={addressOf('/failed/list', { destination: destinationId, code, reason })}>
                  <code>{code}</code> {reason}
                </a>
              ),
            },
            { title: 'events', isNumber: true, cell: ({ count }) => <Count value={count} /> },
            { title: 'first', cell: ({ first }) => <Time at={first} /> },
            { title: 'last', cell: ({ last }) => <Time at={last} /> },
            {
              title: 'again',
              cell: ({ destinationId, code, reason, count }) => (
                <ReplayButton choice={{ destinationId, code, reason }} count={count} onStarted={setJobId} />
              ),
            },
          ]}
        />
      ) : null}
    </>
  )
}
