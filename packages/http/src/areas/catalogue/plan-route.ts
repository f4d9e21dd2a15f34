import type { Source } from '@sluice/core'
import { type CounterStore, type ViolationCount, violationsIn } from '@sluice/pipeline'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { answer } from '../../gate/answer.ts'
import type { Route } from '../../routing/route.ts'
import { plansSchema } from './catalogue-schemas.ts'

/** `GET /v2/tracking-plans`: the plans of the sources, with how often each event violated them. */
export function planRoute(gate: TokenGate, counters: Pick<CounterStore, 'read'>): Route {
  return gate.route({
    method: 'get',
    path: '/v2/tracking-plans',
    operationId: 'listTrackingPlans',
    summary: 'List tracking plans, with counts of violations by event and type',
    area: 'Catalogue',
    scopes: ['read'],
    errors: [],
    responses: { 200: { description: 'Plans, by source.', schema: plansSchema } },
    handle: async ({ workspace }) => {
      const counts = violationsIn(await counters.read(workspace.id))
      return answer({ plans: workspace.sources.flatMap((source) => planOf(source, counts)) })
    },
  })
}

function planOf({ id, trackingPlan }: Source, counts: readonly ViolationCount[]) {
  if (trackingPlan === undefined) return []
  const own = counts.filter(({ sourceId }) => sourceId === id)
  const sums = (name: string): Readonly<Record<string, number>> =>
    Object.fromEntries(own.filter(({ planned }) => planned === name).map(({ type, count }) => [type, count]))
  const { events, onViolation, unplanned } = trackingPlan
  return {
    sourceId: id,
    onViolation,
    unplanned,
    events: events.map(({ type, event = '', schema }) => ({
      type,
      event,
      schema,
      violations: sums(type === 'track' ? `track ${event}` : type),
    })),
    unplannedEvents: sums('')['Unplanned-Event'] ?? 0,
  }
}
