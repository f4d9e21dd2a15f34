import type { Destination, Workspace } from '@sluice/core'
import type { DestinationRegistry } from '@sluice/destinations'
import type { Problem } from './problem.ts'

/** Destinations that are in one process, or on one machine, and why that does not go together with several processes. */
const local: Readonly<Record<string, string>> = {
  FILE: 'each process would write a file of its own, and deletions would reach one of them only',
  CONSOLE: 'each process would print a part of the events',
}

const rotating =
  'its account issues a new refresh token each time and ends the one before, so that the processes would lock each other out'

/** What of a workspace counts. */
interface CheckedWorkspace extends Pick<Workspace, 'id'> {
  readonly destinations: readonly Pick<Destination, 'id' | 'type' | 'settings'>[]
}

/** Returns what of some workspaces cannot be shared by several processes. */
export function clusterProblems(
  workspaces: readonly CheckedWorkspace[],
  registry: Pick<DestinationRegistry, 'get'>,
): readonly Problem[] {
  return workspaces.flatMap(({ id, destinations }) =>
    destinations.flatMap(({ id: destinationId, type, settings }) => {
      const { account, action } = registry.get(type) ?? {}
      const isRotating = account?.rotates === true || action?.account?.mayRotate?.(settings) === true
      const reason = local[type] ?? (isRotating ? rotating : undefined)
      return reason === undefined
        ? []
        : {
            path: `destination ${id}/${destinationId}`,
            value: type,
            allowed: `types that work in several processes (${reason}), or a store for one process`,
          }
    }),
  )
}
