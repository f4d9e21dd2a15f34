import type { TrackingPlans } from '@sluice/http'

/**
 * Returns how often events did not fit a tracking plan, since there is one. An event that violates it in two ways counts
 * twice, as the server counts it.
 */
export function misfitsOf({
  events,
  unplannedEvents,
}: Pick<TrackingPlans['plans'][number], 'events' | 'unplannedEvents'>): number {
  const planned = events.flatMap(({ violations }) => Object.values(violations))
  return planned.reduce((sum, count) => sum + count, unplannedEvents)
}
