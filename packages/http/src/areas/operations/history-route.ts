import { type Engine, type HistoryReport, toHistoryRange } from '@sluice/pipeline'
import type { OperatorGate } from '../../gate/access/operator-gate.ts'
import { answer, problem } from '../../gate/answer.ts'
import type { SearchTurns } from '../../gate/search-turns.ts'
import type { Route } from '../../routing/route.ts'
import { historyQuery, historyReportSchema } from './history-schemas.ts'

interface HistoryRouteOptions {
  readonly engine: Pick<Engine, 'history'>
  readonly now: () => number
  /** Reads of a workspace run one after the other, and apart from searches, which take much longer. */
  readonly turns: SearchTurns
}

/** Turns of reads of all workspaces, which only the operator of the server may ask for. */
const allWorkspaces = ''

/** `GET /v2/history`: counts, delays and the oldest waiting event over time. */
export function historyReportRoute(gate: OperatorGate, { engine, now, turns }: HistoryRouteOptions): Route {
  return gate({
    path: '/v2/history',
    operationId: 'getHistoryReport',
    summary: 'Get counts and delays over time',
    query: historyQuery,
    errors: ['rangeInvalid', 'searchesTooMany'],
    responses: { 200: { description: 'Series by source and destination.', schema: historyReportSchema } },
    handle: async ({ workspaces, query: { range, since, until, every } }) => {
      const chosen = toHistoryRange({ range, every, since: timeOf(since), until: timeOf(until) }, now())
      if (typeof chosen === 'string') return problem('rangeInvalid', chosen)
      const [first, ...more] = workspaces
      return turns(first === undefined || more.length > 0 ? allWorkspaces : first.id, async () => {
        const listed: (HistoryReport & { readonly workspaceId: string })[] = []
        for (const { id } of workspaces) listed.push({ workspaceId: id, ...(await engine.history.report(id, chosen)) })
        return answer({
          since: new Date(chosen.since).toISOString(),
          until: new Date(chosen.until).toISOString(),
          everyMs: chosen.everyMs,
          workspaces: listed,
        })
      })
    },
  })
}

const timeOf = (text: string | undefined): number | undefined => (text === undefined ? undefined : Date.parse(text))
