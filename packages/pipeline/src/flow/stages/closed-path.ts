import { drop, fail, type Outcome, type Stage } from '@sluice/core'
import type { DestinationPath } from '../destination-path.ts'

/** Returns the path of a destination that takes nothing; events that wait for it are dropped with `reason`. */
export function closedPath(destinationId: string, reason: string): DestinationPath {
  return pathOf(destinationId, drop(reason))
}

/** Returns the path of a destination that is gone; events that wait for it become dead letters. */
export function gonePath(destinationId: string): DestinationPath {
  const message = `destination ${destinationId} was deleted before the event was delivered`
  return pathOf(destinationId, fail({ code: 'destination.gone', message }))
}

function pathOf(destinationId: string, outcome: Outcome<never>): DestinationPath {
  return {
    destinationId,
    isClosed: true,
    before: [closedStage(outcome)],
    map: closedStage(outcome),
    send: async (batch, { settled }) => {
      for (const index of batch.keys()) settled(index, outcome)
    },
  }
}

/** Returns the ids of destinations to which events were sent before, and are not now: closed, gone or paused. */
export function destinationsHalted(
  before: readonly DestinationPath[],
  now: readonly DestinationPath[],
): readonly string[] {
  const sending = new Set(now.flatMap((path) => (isSending(path) ? path.destinationId : [])))
  return before.flatMap((path) => (isSending(path) && !sending.has(path.destinationId) ? path.destinationId : []))
}

function isSending(path: DestinationPath): boolean {
  return !path.isClosed && path.pausedAt === undefined
}

function closedStage<In, Out>(outcome: Outcome<never>): Stage<In, Out> {
  return {
    name: 'connect',
    async run(batch): Promise<readonly Outcome<Out>[]> {
      return batch.map(() => outcome)
    },
  }
}
