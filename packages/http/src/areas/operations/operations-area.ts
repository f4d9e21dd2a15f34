import type { BudgetUsage, CountHistory, DestinationHealth, DestinationTrace, Engine } from '@sluice/pipeline'
import Type from 'typebox'
import type { OperatorGate } from '../../gate/access/operator-gate.ts'
import { answer, problem } from '../../gate/answer.ts'
import { createSearchTurns } from '../../gate/search-turns.ts'
import { type Area, createArea } from '../../routing/area.ts'
import { errorPagePath } from '../../routing/error-page-path.ts'
import type { Route } from '../../routing/route.ts'
import { historyReportRoute } from './history-route.ts'
import {
  circuitsSchema,
  eventSchema,
  eventUnknownText,
  historySchema,
  statsSchema,
  usageSchema,
  workspaceQuery,
} from './operations-schemas.ts'
import { outcomesRoute } from './outcomes-route.ts'

export interface OperationsAreaOptions {
  readonly gate: OperatorGate
  readonly engine: Pick<Engine, 'reports' | 'history'>
  /** Returns the current time in milliseconds since the epoch. */
  now(): number
  /** Returns the metrics of these workspaces or, without any named, of the whole server, as Prometheus text. */
  metrics(workspaceIds?: readonly string[]): Promise<string>
  usage(workspaceId: string): Promise<readonly BudgetUsage[]>
  /** Returns how the enabled destinations do, in order of id. */
  circuits(workspaceId: string): Promise<readonly DestinationHealth[]>
  /** Left out, there is no route for it. */
  readonly history?: CountHistory
}

/** Monitoring: `GET /metrics`, `/v1/stats`, `/v1/history`, `/v2/history`, `/v2/outcomes`, `/v1/circuits`, `/v1/usage` and `/v1/events/{messageId}`. */
export function createOperationsArea({
  gate,
  engine,
  now,
  metrics,
  usage,
  circuits,
  history,
}: OperationsAreaOptions): Area {
  return createArea([
    gate({
      path: '/metrics',
      operationId: 'getMetrics',
      summary: 'Get counters, gauges and histograms in the Prometheus format',
      query: Type.Object(workspaceQuery),
      errors: [],
      responses: {
        200: { description: 'Prometheus text, version 0.0.4.', schema: Type.String(), contentType: 'text/plain' },
      },
      handle: async ({ workspaces, isOfServer }) =>
        new Response(await metrics(isOfServer ? undefined : workspaces.map(({ id }) => id)), {
          headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
        }),
    }),
    gate({
      path: '/v1/stats',
      operationId: 'getStats',
      summary: 'Count received, rejected, suppressed, dropped, failed, delivered and pending events',
      query: Type.Object(workspaceQuery),
      errors: [],
      responses: { 200: { description: 'Counts by source and destination.', schema: statsSchema } },
      handle: async ({ workspaces }) => {
        const listed = workspaces.map(async ({ id }) => ({ workspaceId: id, sources: await engine.reports.stats(id) }))
        return answer({ workspaces: await Promise.all(listed) })
      },
    }),
    ...(history ? [historyRoute(gate, history)] : []),
    historyReportRoute(gate, { engine, now, turns: createSearchTurns() }),
    outcomesRoute(gate, { engine, now }),
    gate({
      path: '/v1/circuits',
      operationId: 'getCircuits',
      summary: 'Get which destinations work, fail, are slow or paused',
      query: Type.Object(workspaceQuery),
      errors: [],
      responses: {
        200: { description: 'Enabled destinations, as the process that answers knows them.', schema: circuitsSchema },
      },
      handle: async ({ workspaces }) => {
        const listed = workspaces.map(async ({ id }) => ({
          workspaceId: id,
          destinations: (await circuits(id)).map(shownCircuit),
        }))
        return answer({ workspaces: await Promise.all(listed) })
      },
    }),
    gate({
      path: '/v1/usage',
      operationId: 'getUsage',
      summary: 'Get the use of each shared budget',
      query: Type.Object(workspaceQuery),
      errors: [],
      responses: { 200: { description: 'Use by workspace and budget.', schema: usageSchema } },
      handle: async ({ workspaces }) => {
        const listed = workspaces.map(async ({ id }) => ({ workspaceId: id, budgets: await usage(id) }))
        return answer({ workspaces: await Promise.all(listed) })
      },
    }),
    gate({
      path: '/v1/events/{messageId}',
      operationId: 'traceEvent',
      summary: 'Trace one event, stage by stage',
      query: Type.Object(workspaceQuery),
      errors: ['eventUnknown'],
      responses: { 200: { description: 'The newest event with this id, by destination.', schema: eventSchema } },
      handle: async ({ workspaces, param }) => {
        // Search all workspaces, so that the response time does not reveal where the event is.
        const traces = await Promise.all(
          workspaces.map(async ({ id }) => ({ id, trace: await engine.reports.trace(id, param('messageId')) })),
        )
        const [found] = traces.flatMap(({ id, trace }) => (trace ? [{ id, ...trace }] : []))
        if (found === undefined) return problem('eventUnknown', eventUnknownText)
        const { id, messageId, sourceId, acceptedAt, destinations } = found
        return answer({
          messageId,
          workspaceId: id,
          sourceId,
          acceptedAt: acceptedAt === undefined ? undefined : isoTime(acceptedAt),
          destinations: destinations.map(shown),
        })
      },
    }),
  ])
}

function historyRoute(gate: OperatorGate, history: CountHistory): Route {
  return gate({
    path: '/v1/history',
    operationId: 'getHistory',
    summary: 'Get the counts of the last hour',
    query: Type.Object(workspaceQuery),
    errors: [],
    responses: { 200: { description: 'Counts at several times.', schema: historySchema } },
    handle: ({ workspaces }) =>
      answer({
        everyMs: history.everyMs,
        workspaces: workspaces.map(({ id }) => ({
          workspaceId: id,
          points: history.of(id).map(({ at, sources }) => ({ at: isoTime(at), sources })),
        })),
      }),
  })
}

function shown({ at, nextTryAt, tries, ...trace }: DestinationTrace) {
  return {
    ...trace,
    tries: tries?.map((each) => ({ ...each, at: isoTime(each.at) })),
    docs: trace.code === undefined ? undefined : errorPagePath(trace.code),
    at: at === undefined ? undefined : isoTime(at),
    nextTryAt: nextTryAt === undefined ? undefined : isoTime(nextTryAt),
  }
}

function shownCircuit({ failingSince, nextTryAt, pausedAt, oldestAt, ...known }: DestinationHealth) {
  return {
    ...known,
    failingSince: failingSince === undefined ? undefined : isoTime(failingSince),
    nextTryAt: nextTryAt === undefined ? undefined : isoTime(nextTryAt),
    pausedAt: pausedAt === undefined ? undefined : isoTime(pausedAt),
    oldestAt: oldestAt === undefined ? undefined : isoTime(oldestAt),
  }
}

const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString()
