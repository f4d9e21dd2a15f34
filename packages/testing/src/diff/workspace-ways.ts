import type { Workspace } from '@sluice/core'
import type { DestinationRegistry } from '@sluice/destinations/kit'
import type { DiffedWay, DiffSide } from './diffed-way.ts'

/** Workspaces of one side, and the types of their destinations. */
export interface WorkspaceSide {
  readonly workspaces: readonly Workspace[]
  readonly definitions: Pick<DestinationRegistry, 'get'>
}

/**
 * Returns the ways of all destinations that are enabled and connected on at least one side: each with the code, settings,
 * connections, tracking plans and credentials that its workspace has on that side.
 * @param sourceId only destinations that are connected to this source.
 */
export function workspaceWays(before: WorkspaceSide, after: WorkspaceSide, sourceId?: string): readonly DiffedWay[] {
  const [was, is] = [sidesOf(before, sourceId), sidesOf(after, sourceId)]
  const names = [...new Set([...was.keys(), ...is.keys()])].sort()
  return names.map((name) => ({ destination: name, before: was.get(name), after: is.get(name) }))
}

/** Returns one side of each destination, by the name that the report has for it. */
function sidesOf(
  { workspaces, definitions }: WorkspaceSide,
  sourceId: string | undefined,
): ReadonlyMap<string, DiffSide> {
  const sides = new Map<string, DiffSide>()
  for (const workspace of workspaces) {
    const connected = new Set(
      workspace.connections.flatMap((each) =>
        sourceId === undefined || each.sourceId === sourceId ? [each.destinationId] : [],
      ),
    )
    for (const destination of workspace.destinations) {
      const { id, type, enabled, settings, transformation } = destination
      const definition = definitions.get(type)
      if (!enabled || definition === undefined || !connected.has(id)) continue
      const name = workspaces.length === 1 ? id : `${workspace.id}/${id}`
      sides.set(name, {
        subject: transformation,
        destination: { definition, settings, place: { workspace, destination } },
      })
    }
  }
  return sides
}
