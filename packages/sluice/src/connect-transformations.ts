import type { Workspace } from '@sluice/core'
import type { Transformations } from '@sluice/transformations'

/**
 * Adds the transformations connected through the API to the workspaces. They override those of the workspace file,
 * which run again when the API disconnects them.
 *
 * @returns one line per destination where the API overrides the file.
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
          `workspace ${workspace.id}, destination ${destination.id}: transformation ${transformation.name}, connected through the API, overrides ${destination.transformation.name} of the workspace file`,
        )
      return { ...destination, transformation }
    })
    return { ...workspace, destinations }
  })
  return { workspaces: await Promise.all(connected), conflicts }
}
