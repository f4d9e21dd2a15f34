import type { Workspace } from '@sluice/core'
import type { Transformations } from '@sluice/transformations'

/**
 * Puts the transformations that were connected through the API into the workspaces. They win over those of the
 * workspace file, which run again once the API connects nothing.
 *
 * @returns one line per destination where one wins over another.
 */
export async function connectTransformations(
  workspaces: readonly Workspace[],
  transformations: Pick<Transformations, 'connected'>,
): Promise<{ readonly workspaces: readonly Workspace[]; readonly conflicts: readonly string[] }> {
  const conflicts: string[] = []
  const connected = workspaces.map(async (workspace) => {
    const ofApi = await transformations.connected(workspace.id)
    const destinations = workspace.destinations.map((destination) => {
      const transformation = ofApi.get(destination.id)
      if (transformation === undefined) return destination
      if (destination.transformation)
        conflicts.push(
          `workspace ${workspace.id}, destination ${destination.id}: transformation ${transformation.name}, connected through the API, wins over ${destination.transformation.name} of the workspace file`,
        )
      return { ...destination, transformation }
    })
    return { ...workspace, destinations }
  })
  return { workspaces: await Promise.all(connected), conflicts }
}
