import { identifierText } from '@sluice/core'
import type { DeadLetter, DeferredEvent, RetryStore } from '@sluice/pipeline'
import { compareCodePoints } from '@sluice/schema'
import type { MemoryCounterStore } from './memory-counter-store.ts'
import type { MemoryReceiptStore } from './memory-receipt-store.ts'

export interface MemoryRetryStore extends RetryStore {
  putNow(events: readonly DeferredEvent[]): void
}

export interface MemoryRetryOptions {
  readonly counters: MemoryCounterStore
  readonly receipts: MemoryReceiptStore
  /** What keeps the letters of a round. */
  readonly bury: (letters: readonly DeadLetter[]) => void
  readonly requireOpen: () => void
}

export function createMemoryRetryStore(options: MemoryRetryOptions): MemoryRetryStore {
  const { counters, receipts, bury, requireOpen } = options
  // As text, so that what is read is what a store on disk would give. In the order they came.
  const texts = new Map<
    string,
    { readonly workspaceId: string; readonly destinationId: string; readonly text: string }
  >()
  const putNow = (events: readonly DeferredEvent[]): void => {
    for (const event of events) {
      const { id, workspaceId, destinationId } = event
      texts.set(id, { workspaceId, destinationId, text: JSON.stringify(event) })
    }
  }
  const eventsOf = (workspaceId: string): readonly DeferredEvent[] => {
    requireOpen()
    return [...texts.values()].flatMap((kept) => (kept.workspaceId === workspaceId ? [JSON.parse(kept.text)] : []))
  }
  return {
    putNow,
    destinations: async (workspaceId) =>
      [...new Set(eventsOf(workspaceId).map(({ destinationId }) => destinationId))].sort(compareCodePoints),
    entries: async (workspaceId, destinationId) =>
      eventsOf(workspaceId).flatMap(({ id, userKeys, dueAt, ...event }) =>
        event.destinationId === destinationId ? [{ id, userKeys, dueAt }] : [],
      ),
    read: async (workspaceId, ids) => eventsOf(workspaceId).filter(({ id }) => ids.includes(id)),
    ofUser: async (workspaceId, userId) =>
      eventsOf(workspaceId).flatMap(({ id, destinationId, source }) =>
        identifierText(source.event['userId']) === userId ? [{ id, destinationId }] : [],
      ),
    commit: async (round) => {
      requireOpen()
      for (const id of round.ended) texts.delete(id)
      putNow(round.again.filter(({ id }) => texts.has(id)))
      counters.addNow(round.counts)
      receipts.putNow(round.receipts)
      bury(round.deadLetters)
    },
  }
}
