import { type Engine, toHistoryRange } from '@sluice/pipeline'
import type { OperatorGate } from '../../gate/access/operator-gate.ts'
import { answer, problem } from '../../gate/answer.ts'
import type { Route } from '../../routing/route.ts'
import { historyQuery, historyReportSchema } from './history-schemas.ts'

/** `GET /v2/history`: counts, delays and the oldest waiting event over time. */
export function historyReportRoute(
  gate: OperatorGate,
  { engine, now }: { readonly engine: Pick<Engine, 'history'>; readonly now: () => number },
): Route {
  return gate({
    path: '/v2/history',
    operationId: 'getHistoryReport',
    summary: 'Get counts and delays over time',
    query: historyQuery,
    errors: ['rangeInvalid'],
    responses: { 200: { description: 'Series by source and destination.', schema: historyReportSchema } },
    handle: async ({ workspaces, query: { range, since, until, every } }) => {
      const chosen = toHistoryRange({ range, every, since: timeOf(since), until: timeOf(until) }, now())
      if (typeof chosen === 'string') return problem('rangeInvalid', chosen)
      const listed = workspaces.map(async ({ id }) => ({
        workspaceId: id,
        ...(await engine.history.report(id, chosen)),
      }))
      return answer({
        since: new Date(chosen.since).toISOString(),
        until: new Date(chosen.until).toISOString(),
        everyMs: chosen.everyMs,
        workspaces: await Promise.all(listed),
      })
    },
  })
}

const timeOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text))
