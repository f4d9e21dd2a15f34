import type { Workspace } from '@sluice/core'
import { type Engine, namedDays, type Outcomes } from '@sluice/pipeline'
import type { OperatorGate } from '../../gate/access/operator-gate.ts'
import { answer, problem } from '../../gate/answer.ts'
import type { Route } from '../../routing/route.ts'
import { missingDestination } from '../missing-destination.ts'
import { outcomesQuery, outcomesSchema } from './outcomes-schemas.ts'

/** `GET /v2/outcomes`: how many events of a source and day did not reach each destination, and why. */
export function outcomesRoute(
  gate: OperatorGate,
  { engine, now }: { readonly engine: Pick<Engine, 'reports'>; readonly now: () => number },
): Route {
  return gate({
    path: '/v2/outcomes',
    operationId: 'getOutcomes',
    summary: 'Get how many events did not reach each destination, and why',
    query: outcomesQuery,
    errors: ['sourceMissing', 'destinationMissing', 'rangeInvalid'],
    responses: { 200: { description: 'Outcomes by destination.', schema: outcomesSchema } },
    handle: async ({ workspaces, query }) => {
      const { source: sourceId, destination, event, type = 'track' } = query
      const workspace = workspaces.find(({ sources }) => sources.some(({ id }) => id === sourceId))
      if (workspace === undefined) return problem('sourceMissing', `there is no source ${sourceId.slice(0, 100)}`)
      const missing = destination === undefined ? undefined : missingDestination(workspace, destination)
      if (missing) return missing
      const { first, last } = namedDays(now())
      const day = query.day ?? last
      if (day < first || day > last)
        return problem('rangeInvalid', `day is out of range: days from ${first} to ${last} in UTC are kept`)
      const asked = { workspaceId: workspace.id, sourceId, day }
      const isOfName = event !== undefined || query.type !== undefined
      const name = type === 'track' ? `track ${event ?? ''}` : type || (event ?? '')
      const [outcomes, suppressed] = await Promise.all([
        engine.reports.outcomes(asked, isOfName ? name : undefined),
        engine.reports.suppressedOn(asked),
      ])
      return answer({
        ...asked,
        ...(isOfName ? namedAs(name) : {}),
        accepted: outcomes.accepted,
        suppressed,
        names: outcomes.names.map(({ name: each, accepted }) => ({ ...namedAs(each), accepted })),
        destinations: outcomes.destinations
          .filter(({ destinationId }) => destination === undefined || destinationId === destination)
          .map((each) => ({ ...each, state: stateOf(each, workspace, engine) })),
      })
    },
  })
}

/** Returns type and name of events apart. What stands for several names, or for events without a type, has none. */
function namedAs(name: string): { readonly type: string; readonly event: string } {
  const start = 'track '
  if (name.startsWith(start)) return { type: 'track', event: name.slice(start.length) }
  return name.startsWith('(') ? { type: '', event: name } : { type: name, event: '' }
}

/** Returns whether events are sent to a destination now. */
function stateOf(
  { destinationId }: Outcomes['destinations'][number],
  workspace: Workspace,
  { reports }: Pick<Engine, 'reports'>,
): 'enabled' | 'paused' | 'failing' | 'disabled' | 'deleted' {
  const destination = workspace.destinations.find(({ id }) => id === destinationId)
  if (destination === undefined) return 'deleted'
  if (!destination.enabled) return 'disabled'
  const circuit = reports.circuits(workspace.id).find((each) => each.destinationId === destinationId)
  if (circuit?.state === 'paused') return 'paused'
  return circuit?.state === 'open' ? 'failing' : 'enabled'
}
