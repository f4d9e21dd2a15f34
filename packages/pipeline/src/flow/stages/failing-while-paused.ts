import { fail, type SourcedEvent, type Stage } from '@sluice/core'
import type { DestinationPath } from '../destination-path.ts'

/**
 * Returns a path where every event fails, for callers that cannot wait until a paused destination is resumed. A path that is
 * not paused is returned as it is.
 */
export function failingWhilePaused(path: DestinationPath): DestinationPath {
  const { pausedAt, destinationId } = path
  if (pausedAt === undefined) return path
  const message = `Destination ${destinationId} is paused. Resume it, or process the event again later.`
  const stage: Stage<SourcedEvent> = {
    name: 'connect',
    run: async (batch) => batch.map(() => fail({ code: 'deliver.unavailable', message })),
  }
  return { ...path, before: [stage] }
}
