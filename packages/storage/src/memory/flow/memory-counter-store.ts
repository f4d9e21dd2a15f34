import type { CountDelta, CounterStore, NamedCount } from '@sluice/pipeline'
import {
  boundNames,
  dayOfCount,
  isAdmission,
  isNamed,
  namedDayKey,
  namedDays,
  otherNames,
} from '@sluice/pipeline/store'
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
  /** Counts by name, by `namedDayKey` and then by counter. */
  const named = new Map<string, Map<string, NamedCount>>()
  const addNamed = (deltas: readonly NamedCount[]): void => {
    const known = new Map<string, ReadonlySet<string>>()
    for (const day of new Set(deltas.map(dayKeyOf))) {
      const there = [...(named.get(day)?.values() ?? [])].filter(isAdmission)
      known.set(day, new Set(there.map((count) => count.named.name).filter((name) => name !== otherNames)))
    }
    for (const count of boundNames(deltas, known)) {
      const ofDay = named.get(dayKeyOf(count)) ?? new Map<string, NamedCount>()
      named.set(dayKeyOf(count), ofDay)
      const key = counterKey(count)
      ofDay.set(key, { ...count, count: count.count + (ofDay.get(key)?.count ?? 0) })
    }
  }
  const addNow = (deltas: readonly CountDelta[]): void => {
    addNamed(deltas.filter(isNamed))
    for (const delta of deltas) {
      if (isNamed(delta)) continue
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
    readNamed: async ({ workspaceId, sourceId, day }) => {
      requireOpen()
      return [...(named.get(namedDayKey({ workspaceId, sourceId, day }))?.values() ?? [])].sort(byNameInOrder)
    },
    tidyNamed: async (now) => {
      requireOpen()
      const { first } = namedDays(now)
      for (const [key, counts] of named)
        if ([...counts.values()].some((count) => count.named.day < first)) named.delete(key)
    },
  }
}

const dayKeyOf = (count: NamedCount): string => namedDayKey(dayOfCount(count))

function byNameInOrder(a: NamedCount, b: NamedCount): number {
  return compareCodePoints(a.named.name, b.named.name) || inOrder(a, b)
}

function inOrder(a: CountDelta, b: CountDelta): number {
  return (
    compareCodePoints(a.sourceId, b.sourceId) ||
    compareCodePoints(a.destinationId, b.destinationId) ||
    compareCodePoints(a.kind, b.kind) ||
    compareCodePoints(a.reason, b.reason)
  )
}
