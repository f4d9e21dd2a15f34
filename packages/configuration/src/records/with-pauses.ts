import type { Workspace } from '@sluice/core'
import type { ConfigurationRecord } from './configuration-record.ts'

/**
 * Returns workspaces whose destinations are paused as stored records say. A pause also applies to destinations that the
 * workspace file defines; one of a destination that does not exist has no effect.
 */
export function withPauses(
  workspaces: readonly Workspace[],
  records: readonly ConfigurationRecord[],
): readonly Workspace[] {
  const pauses = records.filter(({ kind }) => kind === 'pause')
  if (pauses.length === 0) return workspaces
  const byPlace = new Map(pauses.map((pause) => [JSON.stringify([pause.workspaceId, pause.id]), pause]))
  return workspaces.map((workspace) => ({
    ...workspace,
    destinations: workspace.destinations.map((destination) => {
      const pause = byPlace.get(JSON.stringify([workspace.id, destination.id]))
      if (pause === undefined) return destination
      const { reason } = pause.body
      return {
        ...destination,
        pausedAt: pause.createdAt,
        ...(typeof reason === 'string' ? { pausedBecause: reason } : {}),
      }
    }),
  }))
}
