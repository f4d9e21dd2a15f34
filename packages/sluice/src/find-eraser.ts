import type { Clock, Destination, Random, Workspace } from '@sluice/core'
import { createApiEraser, type Transport } from '@sluice/delivery'
import type { DestinationRegistry } from '@sluice/destinations'
import { type DeletionTarget, type Eraser, ownData } from '@sluice/regulation'

export interface EraserParts {
  readonly workspaces: () => readonly Workspace[]
  readonly destinations: DestinationRegistry
  readonly transport: Transport
  readonly clock: Clock
  readonly random: Random
  /** Who erases what Sluice itself keeps of a workspace. */
  own(workspaceId: string): Eraser
}

/** Finds who deletes users at a destination; a text says why nobody can. Disabled destinations are deleted at too. */
export function createEraserFinder(parts: EraserParts): (target: DeletionTarget) => Eraser | string {
  // By the destination as it is set now: limits on the rate hold from call to call.
  const known = new WeakMap<Destination, Eraser | string>()
  return ({ workspaceId, destinationId }) => {
    if (destinationId === ownData) return parts.own(workspaceId)
    const workspace = parts.workspaces().find(({ id }) => id === workspaceId)
    const destination = workspace?.destinations.find(({ id }) => id === destinationId)
    if (destination === undefined) return 'destination is gone'
    const eraser = known.get(destination) ?? eraserOf(destination, parts)
    known.set(destination, eraser)
    return eraser
  }
}

function eraserOf(
  { type, settings }: Destination,
  { destinations, transport, clock, random }: EraserParts,
): Eraser | string {
  const definition = destinations.get(type)
  if (definition === undefined) return `destination type ${type} is not known any more`
  const { deletion } = definition
  if (deletion === undefined) return `destination not supported: ${definition.displayName} cannot delete users`
  return createApiEraser({ definition: { ...definition, deletion }, settings, transport, clock, random })
}
