import { usePolled } from '../../../api/polled.ts'
import { request } from '../../../api/request.ts'
import type { TimeFlag } from '../../../parts/charts/time/time-series.ts'

interface Change {
  readonly at: string
  readonly who: string
  readonly kind: string
  readonly subject: { readonly id: string }
  readonly text: string
}

/** Flags that a chart has room for: the newest. */
const flagsMax = 8

/** Reads who changed some parts since a moment, as flags of a chart. @param ids of the parts. */
export function useChangeFlags(since: number, ids: readonly string[]): readonly TimeFlag[] {
  const query = new URLSearchParams({ since: new Date(since).toISOString(), limit: '200' })
  const { value = [] } = usePolled(
    `changes of ${ids.join(' ')} since ${since}`,
    async (signal) => (await request<{ readonly data: readonly Change[] }>(`/v2/changes?${query}`, { signal })).data,
    60_000,
  ).state.value
  return value
    .filter(({ kind, subject }) => ids.includes(subject.id) && kind !== 'saved')
    .slice(0, flagsMax)
    .map(({ at, who, text }) => ({ at: Date.parse(at), text: `${who} ${text}`, state: 'note' }))
}
