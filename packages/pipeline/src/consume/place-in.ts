import type { LogBatch } from '../ports/event-log.ts'
import type { EventPlace } from '../ports/stores/crash-store.ts'

/** Returns where an event is stored. @param index among those of the batch that are not left out. */
export function placeIn(batch: LogBatch | undefined, index: number): EventPlace {
  if (batch?.stored === undefined) return { position: batch?.position ?? 0, index }
  const { lane, position, skipped } = batch.stored
  return { lane, position, index: skipped + index }
}
