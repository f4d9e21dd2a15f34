import { useState } from 'preact/hooks'
import { usePolled } from '../../../api/polled.ts'
import { request } from '../../../api/request.ts'
import { allows } from '../../../api/session.ts'
import { Notice } from '../../../parts/notice.tsx'
import { Skeleton } from '../../../parts/page/skeleton.tsx'
import { DeletionProgress } from '../deletion/deletion-progress.tsx'
import { ProofPaper } from '../deletion/proof-paper.tsx'
import type { Deletions } from '../regulation.ts'
import { Got } from './got.tsx'
import { Held } from './held.tsx'
import { PersonHead } from './person-head.tsx'
import type { PersonKey, PersonReport } from './person-report.ts'

interface PersonProps {
  readonly userId: string
  /** Other ids by which events name the person, as far as they are known. */
  readonly keys?: readonly PersonKey[]
  readonly onChanged: () => void
}

/** One person: the state, what is held, who got it, and how far a deletion is, with its proof as it fills up. */
export function Person({ userId, keys = [], onChanged }: PersonProps) {
  const { state, refresh } = usePolled(
    userId,
    (signal) => request<PersonReport>('/v2/users/report', { method: 'POST', body: { userId }, signal, waitMs: 60_000 }),
    10_000,
  )
  const { value: report, error } = state.value
  // What was held when the deletion began on this page: the server counts only what there is now.
  const [before, setBefore] = useState<PersonReport>()
  const deletion = report?.regulations.findLast(({ regulationType }) => regulationType === 'suppress_with_delete')
  const polled = useDeletions(allows('operate') ? deletion?.id : undefined)
  const { value: deletions, error: problem } = polled.state.value
  if (report === undefined) return error ? <Notice kind="bad">{error.message}</Notice> : <Skeleton lines={4} />
  const changed = async (): Promise<void> => {
    if (deletion === undefined) setBefore(report)
    await refresh()
    onChanged()
  }
  return (
    <>
      {error ? <Notice kind="bad">{error.message}</Notice> : null}
      {problem ? <Notice kind="bad">{problem.message}</Notice> : null}
      <div class={`grid person${deletions ? ' proven' : ''}`}>
        <div class="stack on-screen">
          <section class="panel" aria-label={`Person ${userId}`}>
            <PersonHead userId={userId} keys={keys} report={report} onChanged={changed} />
            <Held report={report} before={deletion ? before : undefined} />
          </section>
          {deletions ? (
            <DeletionProgress deletions={deletions} got={(before ?? report).destinations} onChanged={polled.refresh} />
          ) : (
            <Got report={report} />
          )}
        </div>
        {deletions ? <ProofPaper userId={userId} deletions={deletions} /> : null}
      </div>
    </>
  )
}

/** Reads how far a deletion is, every few seconds; without an id there is none. */
function useDeletions(id: string | undefined) {
  return usePolled(
    id ?? '',
    async (signal) =>
      id === undefined
        ? undefined
        : request<Deletions>(`/v2/regulations/${encodeURIComponent(id)}/deletions`, { signal }),
    id === undefined ? 0 : 3_000,
  )
}
