import { isJsonObject, type PlannedEvent } from '@sluice/core'
import { preparePlan } from '@sluice/schema'
import { workspacesOf } from './effective-configuration.ts'

/** Runs work on this thread in the turn of a workspace, so that others get theirs in between. */
export type InTurn = <T>(workspaceId: string, work: () => T) => Promise<T>

/** Compiles the tracking plans of a definition in turns, so that parsing it, which cannot pause, finds them compiled. */
export async function preparePlans(definition: unknown, inTurn: InTurn): Promise<void> {
  for (const { id, sources } of workspacesOf(definition))
    if (Array.isArray(sources)) for (const source of sources) await preparePlanOf(String(id), source, inTurn)
}

/** Compiles the tracking plan of a source in turns. A malformed one is left to who parses it. */
export async function preparePlanOf(workspaceId: string, source: unknown, inTurn: InTurn): Promise<void> {
  const plan = isJsonObject(source) ? source['trackingPlan'] : undefined
  const events = isJsonObject(plan) ? plan['events'] : undefined
  if (!Array.isArray(events) || !events.every(isPlanned)) return
  await preparePlan({ events }, (work) => inTurn(workspaceId, work))
}

function isPlanned(event: unknown): event is PlannedEvent {
  return isJsonObject(event) && isJsonObject(event['schema'])
}
