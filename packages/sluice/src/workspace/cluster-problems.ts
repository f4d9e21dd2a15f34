import type { Workspace } from '@sluice/core'
import type { Problem } from './problem.ts'

/** Destinations that are in one process, or on one machine, and why that does not go together with several processes. */
const local: Readonly<Record<string, string>> = {
  FILE: 'each process would write a file of its own, and deletions would reach one of them only',
  CONSOLE: 'each process would print a part of the events',
}

/** Returns what of some workspaces cannot be shared by several processes. */
export function clusterProblems(workspaces: readonly Workspace[]): readonly Problem[] {
  return workspaces.flatMap(({ id, destinations }) =>
    destinations.flatMap(({ id: destinationId, type }) =>
      local[type] === undefined
        ? []
        : {
            path: `destination ${id}/${destinationId}`,
            value: type,
            allowed: `types that work in several processes (${local[type]}), or a store for one process`,
          },
    ),
  )
}
