import { usePolled } from '../api/polled.ts'
import { request } from '../api/request.ts'

interface Groups {
  readonly groups: readonly { readonly count: number }[]
}

const everyMs = 15_000

/** Returns how many failed events are kept; undefined while that is not known, or for those who may not see them. */
export function useFailedCount(mayOperate: boolean): number | undefined {
  const read = async (signal: AbortSignal): Promise<number | undefined> => {
    if (!mayOperate) return undefined
    const { groups } = await request<Groups>('/v2/dead-letters/groups', { signal })
    return groups.reduce((sum, { count }) => sum + count, 0)
  }
  return usePolled('frame-failed', read, everyMs).state.value.value
}
