import { usePolled } from '../../../api/polled.ts'
import { request } from '../../../api/request.ts'
import { allows } from '../../../api/session.ts'

export interface PlannedEvent {
  readonly type: string
  readonly event?: string
  readonly schema: unknown
}

export interface SourcePlan {
  readonly events: readonly PlannedEvent[]
  readonly onViolation: string
  readonly unplanned: string
}

/** A source with its tracking plan, as `GET /v2/sources/{id}` shows it. */
interface PlannedSource {
  readonly id: string
  readonly name: string
  readonly managedBy: 'file' | 'api'
  readonly revision?: number
  readonly trackingPlan?: SourcePlan
  /** The stored plan that the plan is made from: it is changed there. */
  readonly planLink?: unknown
}

export type EditedSource = ReturnType<typeof usePlannedSource>

/** Reads the source of a plan. `put` stores another plan, unless the source has changed since it was read. */
export function usePlannedSource(id: string) {
  const path = `/v2/sources/${encodeURIComponent(id)}`
  const { state, refresh } = usePolled(
    path,
    async (signal) => (await request<{ readonly source: PlannedSource }>(path, { signal })).source,
    10_000,
  )
  const source = state.value.value
  return {
    source,
    canPut: source?.managedBy === 'api' && source.planLink === undefined && allows('write') && allows('operate'),
    put: async (trackingPlan: SourcePlan): Promise<void> => {
      await request(path, {
        method: 'PUT',
        body: { trackingPlan },
        headers: source?.revision === undefined ? {} : { 'if-match': `"${source.revision}"` },
      })
      await refresh()
    },
  }
}
