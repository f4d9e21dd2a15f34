import { identifierText } from '@sluice/core'
import type { DeadLetter, DeferredEntry, DeferredEvent, RetryStore } from '@sluice/pipeline'
import { compareCodePoints } from '@sluice/schema'
import { usersOf } from '../../users-of.ts'
import { WriteIds } from '../write-ids.ts'
import type { MemoryCounterStore } from './memory-counter-store.ts'
import type { MemoryReceiptStore } from './memory-receipt-store.ts'

export interface MemoryRetryStore extends RetryStore {
  putNow(events: readonly DeferredEvent[]): void
}

interface MemoryRetryOptions {
  readonly counters: MemoryCounterStore
  readonly receipts: MemoryReceiptStore
  /** Stores retried events that became dead letters. */
  readonly putDeadLetters: (letters: readonly DeadLetter[]) => void
  readonly requireOpen: () => void
}

export function createMemoryRetryStore(options: MemoryRetryOptions): MemoryRetryStore {
  const { counters, receipts, putDeadLetters, requireOpen } = options
  // As text, so that reads return what a store on disk would. In order of insertion.
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
  const keptOf = (workspaceId: string) => {
    requireOpen()
    return [...texts].flatMap(([id, kept]) => (kept.workspaceId === workspaceId ? [{ id, ...kept }] : []))
  }
  const writeIds = new WriteIds()
  return {
    putNow,
    add: async (_, events, counts) => {
      requireOpen()
      putNow(events)
      counters.addNow(counts)
    },
    destinations: async (workspaceId) =>
      [...new Set(keptOf(workspaceId).map(({ destinationId }) => destinationId))].sort(compareCodePoints),
    entries: async (workspaceId, destinationId) =>
      keptOf(workspaceId)
        .filter((kept) => kept.destinationId === destinationId)
        .map(({ text }): DeferredEntry => {
          const { id, userKeys, dueAt } = JSON.parse(text)
          return { id, userKeys, dueAt }
        }),
    read: async (workspaceId, ids) => {
      const wanted = new Set(ids)
      return keptOf(workspaceId).flatMap(({ id, text }) => (wanted.has(id) ? [JSON.parse(text)] : []))
    },
    ofUser: async (workspaceId, userId) =>
      keptOf(workspaceId).flatMap(({ id, destinationId, text }) =>
        usersOf(JSON.parse(text)).includes(userId) ? [{ id, destinationId }] : [],
      ),
    ofMessage: async (workspaceId, messageId, limit) =>
      keptOf(workspaceId)
        .map(({ text }): DeferredEvent => JSON.parse(text))
        .filter(({ source }) => identifierText(source.event.messageId) === messageId)
        .slice(0, limit),
    commit: async (result) => {
      requireOpen()
      if (!writeIds.note(result.writeId)) return
      for (const id of result.ended) texts.delete(id)
      putNow(result.again.filter(({ id }) => texts.has(id)))
      counters.addNow(result.counts)
      receipts.putNow(result.receipts)
      putDeadLetters(result.deadLetters)
    },
  }
}
