import { createHash } from 'node:crypto'
import type { Workspace } from '@sluice/core'

/** Where the events of a write key go. */
export interface Route {
  readonly workspaceId: string
  readonly sourceId: string
  readonly writeKey: string
  readonly enabled: boolean
  readonly destinationIds: readonly string[]
}

/** Finds routes by write key. Keys are looked up by their hash, so that timing tells nothing about them. */
export type Routes = (writeKey: string) => Route | undefined

/** @throws RangeError when two sources share a write key. */
export function createRoutes(workspaces: readonly Workspace[]): Routes {
  const routes = new Map<string, Route>()
  for (const { id: workspaceId, sources, connections } of workspaces) {
    for (const { id: sourceId, writeKey, enabled } of sources) {
      const connected = connections.filter((connection) => connection.sourceId === sourceId)
      const destinationIds = [...new Set(connected.map(({ destinationId }) => destinationId))]
      const digest = digestOf(writeKey)
      if (routes.has(digest))
        throw new RangeError(`source ${sourceId} of workspace ${workspaceId} has the write key of another source`)
      routes.set(digest, { workspaceId, sourceId, writeKey, enabled, destinationIds })
    }
  }
  return (writeKey) => routes.get(digestOf(writeKey))
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
