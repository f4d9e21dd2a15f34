import type { CountDelta, CounterStore } from '@sluice/pipeline'
import { compareCodePoints } from '@sluice/schema'
import { counterKey } from '../../sum-counts.ts'
import { WriteIds } from '../write-ids.ts'

export interface MemoryCounterStore extends CounterStore {
  /** Does the work of `add` synchronously, as part of a larger commit. */
  addNow(deltas: readonly CountDelta[]): void
  /** Returns what the counters have gained since the last `snapNow`. */
  unmovedNow(): readonly CountDelta[]
  /** Does the same, and notes that it was moved into the history. */
  snapNow(): readonly CountDelta[]
}

export function createMemoryCounterStore(requireOpen: () => void): MemoryCounterStore {
  const counters = new Map<string, CountDelta>()
  /** How much of each counter is in the history. */
  const moved = new Map<string, number>()
  const writeIds = new WriteIds()
  const addNow = (deltas: readonly CountDelta[]): void => {
    for (const delta of deltas) {
      const key = counterKey(delta)
      counters.set(key, { ...delta, count: delta.count + (counters.get(key)?.count ?? 0) })
    }
  }
  const unmovedNow = (): readonly CountDelta[] =>
    [...counters].flatMap(([key, counter]) => {
      const count = counter.count - (moved.get(key) ?? 0)
      return count === 0 ? [] : { ...counter, count }
    })
  return {
    addNow,
    unmovedNow,
    snapNow: () => {
      const gained = unmovedNow()
      for (const [key, { count }] of counters) moved.set(key, count)
      return gained
    },
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
