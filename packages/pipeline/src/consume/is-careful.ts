import type { DestinationPlace } from './destination-place.ts'

/** Events that go through a destination's stages together: as many as RudderStack sends to user code at a time. */
const sliceEventsMax = 200

/** Whether an earlier process ended with events of this consumer: then each is processed alone. See `Quarantine`. */
export function isCareful({ quarantine, workspaceId, consumer }: DestinationPlace): boolean {
  return quarantine.isCareful(workspaceId, consumer)
}

/** Returns how many events go through the stages together. */
export function sliceMaxOf(isAlone: boolean): number {
  return isAlone ? 1 : sliceEventsMax
}
