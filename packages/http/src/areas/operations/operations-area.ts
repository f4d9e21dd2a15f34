import type { BudgetUsage, DestinationTrace, Engine } from '@sluice/pipeline'
import Type from 'typebox'
import type { OperatorGate } from '../../gate/operator-gate.ts'
import { answer, problem } from '../../gate/token-gate.ts'
import { type Area, createArea } from '../../routing/route.ts'
import { eventSchema, statsSchema, usageSchema, workspaceQuery } from './operations-schemas.ts'

export interface OperationsAreaOptions {
  readonly gate: OperatorGate
  readonly engine: Pick<Engine, 'stats' | 'trace'>
  /** Prometheus text of these workspaces. */
  metrics(workspaceIds: readonly string[]): Promise<string>
  usage(workspaceId: string): Promise<readonly BudgetUsage[]>
}

/** One text for an id never seen, an event that was suppressed, and one of which nothing is kept any more. */
const unknown = 'nothing is known of an event with this id'

/** How a running pipeline does: `GET /metrics`, `GET /v1/stats`, `GET /v1/usage`, `GET /v1/events/{messageId}`. */
export function createOperationsArea({ gate, engine, metrics, usage }: OperationsAreaOptions): Area {
  return createArea([
    gate({
      path: '/metrics',
      operationId: 'getMetrics',
      summary: 'Counters, gauges and histograms, as Prometheus reads them',
      query: Type.Object(workspaceQuery),
      errors: [],
      responses: {
        200: { description: 'Prometheus text, version 0.0.4.', schema: Type.String(), contentType: 'text/plain' },
      },
      handle: async ({ workspaces }) =>
        new Response(await metrics(workspaces.map(({ id }) => id)), {
          headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
        }),
    }),
    gate({
      path: '/v1/stats',
      operationId: 'getStats',
      summary: 'What was received, rejected, suppressed, dropped, failed, delivered and is pending',
      query: Type.Object(workspaceQuery),
      errors: [],
      responses: { 200: { description: 'Per source and destination.', schema: statsSchema } },
      handle: async ({ workspaces }) => {
        const listed = workspaces.map(async ({ id }) => ({ workspaceId: id, sources: await engine.stats(id) }))
        return answer({ workspaces: await Promise.all(listed) })
      },
    }),
    gate({
      path: '/v1/usage',
      operationId: 'getUsage',
      summary: 'How much of each shared budget is used',
      query: Type.Object(workspaceQuery),
      errors: [],
      responses: { 200: { description: 'Per workspace and budget.', schema: usageSchema } },
      handle: async ({ workspaces }) => {
        const listed = workspaces.map(async ({ id }) => ({ workspaceId: id, budgets: await usage(id) }))
        return answer({ workspaces: await Promise.all(listed) })
      },
    }),
    gate({
      path: '/v1/events/{messageId}',
      operationId: 'traceEvent',
      summary: 'Where one event went, and why, stage by stage',
      query: Type.Object(workspaceQuery),
      errors: ['eventUnknown'],
      responses: { 200: { description: 'The newest of this id, per destination.', schema: eventSchema } },
      handle: async ({ workspaces, param }) => {
        // All of them, so that the time it takes tells nothing.
        const traces = await Promise.all(
          workspaces.map(async ({ id }) => ({ id, trace: await engine.trace(id, param('messageId')) })),
        )
        const [found] = traces.flatMap(({ id, trace }) => (trace ? [{ id, ...trace }] : []))
        if (found === undefined) return problem('eventUnknown', unknown)
        const { id, messageId, sourceId, acceptedAt, destinations } = found
        return answer({
          messageId,
          workspaceId: id,
          sourceId,
          ...(acceptedAt === undefined ? {} : { acceptedAt: isoTime(acceptedAt) }),
          destinations: destinations.map(shown),
        })
      },
    }),
  ])
}

function shown({ at, nextTryAt, ...trace }: DestinationTrace) {
  return {
    ...trace,
    ...(at === undefined ? {} : { at: isoTime(at) }),
    ...(nextTryAt === undefined ? {} : { nextTryAt: isoTime(nextTryAt) }),
  }
}

const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString()
