import type { Deduplication, NewLogBatch } from '@sluice/pipeline'
import { messageDigest } from '../../message-digest.ts'

/** Recently accepted messages, in order of acceptance. */
export class MemoryMessages {
  readonly #acceptedAt = new Map<string, number>()

  /** Remembers the messages of a batch. @returns the indexes of those that were accepted before. */
  remember(batch: NewLogBatch, { windowMs, idsMax }: Deduplication): readonly number[] {
    const { workspaceId, sourceId, receivedAt, events } = batch
    const duplicates: number[] = []
    for (const [place, { messageId }] of events.entries()) {
      const key = messageDigest(workspaceId, sourceId, String(messageId)).toString('hex')
      const at = this.#acceptedAt.get(key)
      if (at !== undefined && Math.abs(receivedAt - at) < windowMs) duplicates.push(place)
      else {
        this.#acceptedAt.delete(key)
        this.#acceptedAt.set(key, receivedAt)
      }
    }
    for (const [key, at] of this.#acceptedAt) {
      if (at > receivedAt - windowMs && this.#acceptedAt.size <= idsMax) break
      this.#acceptedAt.delete(key)
    }
    return duplicates
  }
}
