import {
  type Area,
  createErrorPagesArea,
  createOpenapiArea,
  createSearchTurns,
  createWelcomeArea,
  type FetchHandler,
  type NodeFetch,
  serveRoutes,
} from '@sluice/http'
import type { Siblings } from '../siblings.ts'
import { createDefinitionAreas } from './areas/definition-areas.ts'
import { createEventAreas } from './areas/event-areas.ts'
import { createGates } from './areas/gates.ts'
import { createGovernanceAreas } from './areas/governance-areas.ts'
import { createHealthAreas } from './areas/health-areas.ts'
import { createOperationsAreas } from './areas/operations-areas.ts'
import type { Base } from './base.ts'
import type { DefinitionParts } from './definitions.ts'
import type { FlowParts } from './flow.ts'
import type { GovernanceParts } from './governance.ts'
import type { OperationsParts } from './operations.ts'
import type { StoreParts } from './stores.ts'

/** What the areas show and change. */
interface ServedParts {
  readonly stores: StoreParts
  readonly flow: FlowParts
  readonly governance: GovernanceParts
  readonly definitions: DefinitionParts
  readonly operations: OperationsParts
  /** Returns the address of the server for others. */
  addressOf(url: string): string
  isStopping(): boolean
  /** The processes of this server, when there are several. */
  readonly siblings: Siblings | undefined
}

/** Creates the HTTP areas, and one handler for all of them. */
export function assembleHttp(base: Base, served: ServedParts) {
  const { stores, flow, governance, definitions, operations, addressOf, isStopping, siblings } = served
  const gates = createGates(base, stores, flow)
  const searches = createSearchTurns()
  const { backup, studio, ...operated } = createOperationsAreas(base, stores, flow, operations, gates, searches)
  const { governance: admitted, ...governed } = createGovernanceAreas(
    base,
    stores,
    flow,
    governance,
    gates,
    searches,
    addressOf,
  )
  const { health, readiness } = createHealthAreas(stores, governance, isStopping, siblings)
  siblings?.answerWith({
    samples: operations.processSamples,
    health: readiness,
    circuits: () => Object.fromEntries(flow.workspaces().map(({ id }) => [id, flow.engine.reports.circuits(id)])),
  })
  const always = {
    ...operated,
    ...createEventAreas(base, stores, flow, operations, gates),
    ...governed,
    ...createDefinitionAreas(base, stores, flow, definitions, gates, addressOf, searches),
    health,
  }
  const optional = { backup, studio, governance: admitted }
  const all = [...Object.values(always), ...Object.values(optional)].filter((area) => area !== undefined)
  // Where the admin credentials are used.
  const apart = base.options.governanceApart ? [admitted, backup].filter((area) => area !== undefined) : []
  const together = all.filter((area) => !apart.includes(area))
  const common = portAreas(together, studio !== undefined)
  const serve = (areas: readonly Area[]): FetchHandler => serveRoutes(areas, { onError: base.onError })
  const { takeFromNode } = always.ingestion.fetch
  const pastWhich = (fetch: FetchHandler['fetch']): NodeFetch => Object.assign(fetch, { takeFromNode })
  return {
    areas: {
      ...eachAlone({ ...always, ...common }, serve),
      ingestion: { fetch: pastWhich(serve([always.ingestion]).fetch) },
      ...(backup ? { backup: serve([backup]) } : {}),
      ...(studio ? { studio: serve([studio]) } : {}),
      ...(admitted ? { governance: serve([admitted]) } : {}),
      ...(apart.length > 0 ? { governance: serve([...apart, ...Object.values(portAreas(apart, false))]) } : {}),
    },
    issueStudioCode: gates.sessions?.issueCode,
    fetch: pastWhich(serve([...together, common.welcome, common.errorPages, common.openapi]).fetch),
  }
}

function eachAlone<Name extends string>(
  areas: Readonly<Record<Name, Area>>,
  serve: (areas: readonly Area[]) => FetchHandler,
): { readonly [_ in Name]: FetchHandler } {
  const alone = Object.entries<Area>(areas).map(([name, area]) => [name, serve([area])] as const)
  return Object.fromEntries(alone) as { readonly [_ in Name]: FetchHandler }
}

/** What every port has: a welcome, the pages of error codes, and the document of what this port serves. */
function portAreas(areas: readonly Area[], hasStudio: boolean) {
  const welcome = createWelcomeArea({ hasStudio })
  const errorPages = createErrorPagesArea()
  const all = [...areas, welcome, errorPages]
  return { welcome, errorPages, openapi: createOpenapiArea(all.flatMap(({ routes }) => routes)) }
}
