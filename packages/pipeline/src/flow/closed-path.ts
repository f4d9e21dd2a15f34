import { drop, type Outcome, type Stage } from '@sluice/core'
import type { DestinationPath } from './destination-path.ts'

/** Returns the path of a destination that takes nothing; events that wait for it are dropped with `reason`. */
export function closedPath(destinationId: string, reason: string): DestinationPath {
  return {
    destinationId,
    connect: closedStage(reason),
    destinationTransform: closedStage(reason),
    deliver: closedStage(reason),
  }
}

/** Nothing is ever sent on a closed path, so nothing has to wait on it either. */
export function isClosed({ connect }: DestinationPath): boolean {
  return connect !== undefined
}

function closedStage<In, Out>(reason: string): Stage<In, Out> {
  return {
    name: 'connect',
    mutatesInput: false,
    async run(batch): Promise<readonly Outcome<Out>[]> {
      return batch.map(() => drop(reason))
    },
  }
}
