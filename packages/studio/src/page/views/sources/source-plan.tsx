import type { TrackingPlans } from '@sluice/http'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { Plans } from '../catalogue/plan/plans.tsx'
import type { Source } from '../destinations/records.ts'

/** The tracking plan of a source, with what does not fit it; nothing where it has none. */
export function SourcePlan({ source: { id, name } }: { readonly source: Source }) {
  const { value } = usePolled('plans', readPlans, 30_000).state.value
  return <Plans plans={(value ?? []).filter(({ sourceId }) => sourceId === id)} names={new Map([[id, name]])} />
}

const readPlans = async (signal: AbortSignal): Promise<TrackingPlans['plans']> =>
  (await request<TrackingPlans>('/v2/tracking-plans', { signal })).plans
