import { usePolled } from '../../../api/polled.ts'
import { request } from '../../../api/request.ts'
import { allows } from '../../../api/session.ts'
import { DataTable } from '../../../parts/data-table.tsx'
import { Count } from '../../../parts/format/count.tsx'
import { Time } from '../../../parts/format/time.tsx'
import { Notice } from '../../../parts/notice.tsx'
import { EmptyState } from '../../../parts/page/empty-state.tsx'
import { Skeleton } from '../../../parts/page/skeleton.tsx'
import { addressOf } from '../../../shell/router.ts'

interface Group {
  readonly destinationId: string
  readonly code: string
  readonly reason: string
  readonly count: number
  readonly first: string
  readonly last: string
}

interface Failed {
  /** Absent until they are known. */
  readonly groups: readonly Group[] | undefined
  readonly problem: string | undefined
}

/** Reads why events failed at a destination, the most frequent reason first. */
export function useFailedHere(id: string): Failed {
  const { value, error } = usePolled('failed at destinations', readGroups, 10_000).state.value
  return { groups: value?.filter(({ destinationId }) => destinationId === id), problem: error?.message }
}

async function readGroups(signal: AbortSignal): Promise<readonly Group[]> {
  if (!allows('operate')) return []
  return (await request<{ readonly groups: readonly Group[] }>('/v2/dead-letters/groups', { signal })).groups
}

/** Why events failed at a destination; each reason leads to how it is mended. */
export function FailedHere({ id, failed: { groups, problem } }: { readonly id: string; readonly failed: Failed }) {
  if (groups === undefined) return problem ? <Notice kind="bad">{problem}</Notice> : <Skeleton />
  if (groups.length === 0)
    return (
      <EmptyState icon="circle-check" title="No failed event is kept of this destination.">
        Those that fail are kept with why, and can be sent again.
      </EmptyState>
    )
  return (
    <section class="panel" aria-label="Failed events">
      <DataTable
        caption="Why, the most frequent first"
        rows={groups}
        keyOf={({ code, reason }) => `${code} ${reason}`}
        empty=""
        columns={[
          {
            title: 'Reason',
            cell: ({ code, reason }) => (
              <>
                <a href={addressOf('/failed', { destination: id, code, reason })}>{reason}</a>
                <small>{code}</small>
              </>
            ),
          },
          { title: 'Events', isNumber: true, cell: ({ count }) => <Count value={count} /> },
          { title: 'First', cell: ({ first }) => <Time at={first} /> },
          { title: 'Last', cell: ({ last }) => <Time at={last} /> },
        ]}
      />
    </section>
  )
}
