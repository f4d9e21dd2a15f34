import type { Workspace } from '@sluice/core'

/** Where the events of each source that is enabled go: ids of destinations, by the id of the source in its workspace. */
export type Routes = ReadonlyMap<string, readonly string[]>

/** Returns where the events of each source go. Sources that are disabled have no route. */
export function routesOf(workspaces: readonly Workspace[]): Routes {
  return new Map(
    workspaces.flatMap((workspace) => {
      const connected = connectedIn(workspace)
      return workspace.sources.flatMap(({ id, enabled }): (readonly [string, readonly string[]])[] =>
        enabled ? [[sourceKey(workspace.id, id), [...(connected.get(id) ?? [])]]] : [],
      )
    }),
  )
}

/** Returns the text by which routes know a source. */
export function sourceKey(workspaceId: string, sourceId: string): string {
  return JSON.stringify([workspaceId, sourceId])
}

/** Returns the destinations of each source, each once. */
export function connectedIn({ connections }: Pick<Workspace, 'connections'>): ReadonlyMap<string, ReadonlySet<string>> {
  const connected = new Map<string, Set<string>>()
  for (const { sourceId, destinationId } of connections) {
    const destinationIds = connected.get(sourceId)
    if (destinationIds) destinationIds.add(destinationId)
    else connected.set(sourceId, new Set([destinationId]))
  }
  return connected
}
