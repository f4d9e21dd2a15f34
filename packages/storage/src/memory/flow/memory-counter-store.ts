import type { CountDelta, CounterStore } from '@sluice/pipeline'
import { compareCodePoints } from '@sluice/schema'
import { counterKey } from '../../sum-counts.ts'
import { WriteIds } from '../write-ids.ts'

export interface MemoryCounterStore extends CounterStore {
  /** Does the work of `add` synchronously, as part of a larger commit. */
  addNow(deltas: readonly CountDelta[]): void
}

export function createMemoryCounterStore(requireOpen: () => void): MemoryCounterStore {
  const counters = new Map<string, CountDelta>()
  const writeIds = new WriteIds()
  const addNow = (deltas: readonly CountDelta[]): void => {
    for (const delta of deltas) {
      const key = counterKey(delta)
      counters.set(key, { ...delta, count: delta.count + (counters.get(key)?.count ?? 0) })
    }
  }
  return {
    addNow,
    add: async (deltas, writeId) => {
      requireOpen()
      if (writeIds.note(writeId)) addNow(deltas)
    },
    read: async (workspaceId) => {
      requireOpen()
      return [...counters.values()].filter((counter) => counter.workspaceId === workspaceId).sort(inOrder)
    },
  }
}

function inOrder(a: CountDelta, b: CountDelta): number {
  return (
    compareCodePoints(a.sourceId, b.sourceId) ||
    compareCodePoints(a.destinationId, b.destinationId) ||
    compareCodePoints(a.kind, b.kind) ||
    compareCodePoints(a.reason, b.reason)
  )
}
