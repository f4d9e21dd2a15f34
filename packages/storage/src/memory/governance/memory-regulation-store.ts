import type { Clock } from '@sluice/core'
import {
  keysOfRegulation,
  type LedgerMarkStore,
  type Regulation,
  type RegulationChange,
  type RegulationStore,
  type SegmentStore,
  type SettledIndex,
  type StoredSegment,
} from '@sluice/regulation'
import { createMemoryWritingStore } from '../records/memory-writing-store.ts'
import { createMemoryDeletionStore } from './memory-deletion-store.ts'
import { createMemorySubjectRequestStore } from './memory-subject-request-store.ts'

export function createMemoryRegulationStore(requireOpen: () => void, clock: Pick<Clock, 'now'>): RegulationStore {
  /** In order of insertion; a page's `next` is an index in it. */
  const all: Regulation[] = []
  const places = new Map<string, number>()
  const active = new Map<string, Set<number>>()
  let changes: RegulationChange[] = []
  let lastPosition = 0
  const deletions = createMemoryDeletionStore(requireOpen, clock)

  const keyOf = (workspaceId: string, id: string): string => JSON.stringify([workspaceId, id])
  const note = (regulation: Regulation, delta: 1 | -1): void => {
    const { workspaceId } = regulation
    for (const userId of keysOfRegulation(regulation)) {
      lastPosition += 1
      changes.push({ position: lastPosition, workspaceId, userId, delta })
    }
  }
  const activate = (regulation: Regulation, place: number): void => {
    for (const each of keysOfRegulation(regulation)) {
      const key = keyOf(regulation.workspaceId, each)
      active.set(key, (active.get(key) ?? new Set()).add(place))
    }
  }
  const deactivate = (regulation: Regulation, place: number): void => {
    for (const each of keysOfRegulation(regulation)) active.get(keyOf(regulation.workspaceId, each))?.delete(place)
  }
  return {
    add: async (regulations, jobs = [], limit) => {
      requireOpen()
      if (limit && jobs.length > 0 && deletions.countFrom(limit) + jobs.length > limit.max) return false
      deletions.addNow(jobs)
      for (const regulation of regulations) {
        const key = keyOf(regulation.workspaceId, regulation.id)
        if (places.has(key)) continue
        const place = all.push(structuredClone(regulation)) - 1
        places.set(key, place)
        if (regulation.canceled) continue
        activate(regulation, place)
        note(regulation, 1)
      }
      return true
    },
    cancel: async (workspaceId, id) => {
      requireOpen()
      const place = places.get(keyOf(workspaceId, id))
      const found = place === undefined ? undefined : all[place]
      if (place === undefined || found === undefined || found.canceled) return found
      const canceled = { ...found, canceled: true }
      all[place] = canceled
      deactivate(found, place)
      note(found, -1)
      deletions.cancelNow(workspaceId, id)
      return canceled
    },
    identify: async (regulations) => {
      requireOpen()
      for (const { workspaceId, id, attributes } of regulations) {
        const place = places.get(keyOf(workspaceId, id))
        const found = place === undefined ? undefined : all[place]
        if (place === undefined || found === undefined || found.canceled) continue
        const { hasNoIds: _, ...known } = found
        const identified = { ...known, attributes: structuredClone(attributes) }
        all[place] = identified
        deactivate(found, place)
        activate(identified, place)
        // In this order, so that the user is in the index all the time.
        note(identified, 1)
        note(found, -1)
        deletions.identifyNow(identified)
      }
    },
    find: async (workspaceId, id) => {
      requireOpen()
      return all[places.get(keyOf(workspaceId, id)) ?? Number.NaN]
    },
    findAll: async (workspaceId, ids) => {
      requireOpen()
      return ids.flatMap((id) => all[places.get(keyOf(workspaceId, id)) ?? Number.NaN] ?? [])
    },
    list: async (workspaceId, { after = 0, limit, userId, alias }) => {
      requireOpen()
      const isChosen = (regulation: Regulation | undefined): regulation is Regulation =>
        regulation?.workspaceId === workspaceId &&
        (userId === undefined || [userId, alias].includes(keysOfRegulation(regulation)[0]))
      const page: Regulation[] = []
      let place = after
      for (; place < all.length && page.length < limit; place += 1) {
        const regulation = all[place]
        if (isChosen(regulation)) page.push(regulation)
      }
      const isLast = !all.slice(place).some(isChosen)
      return { regulations: page, next: isLast ? undefined : place }
    },
    all: async ({ after = 0, limit }) => {
      requireOpen()
      const next = after + limit
      return { regulations: all.slice(after, next), next: next < all.length ? next : undefined }
    },
    activeOf: async (workspaceId, keys) => {
      requireOpen()
      const found = new Set(keys.flatMap((key) => [...(active.get(keyOf(workspaceId, key)) ?? [])]))
      return [...found].sort((a, b) => a - b).flatMap((place) => all[place] ?? [])
    },
    activeAt: async (position) => {
      requireOpen()
      const isBehind = changes.some((change) => change.position > position)
      if (isBehind) return undefined
      return all.reduce((sum, each) => sum + (each.canceled ? 0 : keysOfRegulation(each).length), 0)
    },
    hasFurtherKeys: async () => {
      requireOpen()
      return all.some((each) => !each.canceled && keysOfRegulation(each).length > 1)
    },
    changes: async (after, limit) => {
      requireOpen()
      const first = changes.findIndex(({ position }) => position > after)
      return first < 0 ? [] : changes.slice(first, first + limit)
    },
    deletions,
    ledger: memoryLedgerMarks(requireOpen),
    writings: createMemoryWritingStore(requireOpen),
    requests: createMemorySubjectRequestStore(requireOpen),
    index: memorySegments(requireOpen, {
      forget: (position) => {
        changes = changes.filter((change) => change.position > position)
      },
      remake: () => {
        changes = []
        for (const regulation of all) if (!regulation.canceled) note(regulation, 1)
      },
    }),
  }
}

function memoryLedgerMarks(requireOpen: () => void): LedgerMarkStore {
  const kept = new Map<string, string>()
  return {
    marks: async () => {
      requireOpen()
      return new Map(kept)
    },
    mark: async (marks) => {
      requireOpen()
      for (const [name, text] of marks) kept.set(name, text)
    },
    forget: async () => {
      requireOpen()
      kept.clear()
    },
  }
}

function memorySegments(
  requireOpen: () => void,
  changes: { forget(position: number): void; remake(): void },
): SegmentStore {
  const segments = new Map<number, StoredSegment>()
  let kept: Uint8Array | undefined
  let settled: SettledIndex = { position: 0 }
  return {
    secret: async (fresh) => {
      requireOpen()
      kept ??= fresh.slice()
      return kept.slice()
    },
    write: async (segment) => {
      requireOpen()
      segments.set(segment.number, { ...segment, bytes: segment.bytes.slice() })
    },
    settle: async (position, digest) => {
      requireOpen()
      settled = { position, digest: digest.slice() }
      changes.forget(position)
    },
    settled: async () => settled,
    numbers: async () => [...segments.keys()].sort((a, b) => a - b),
    read: async (number) => segments.get(number),
    reset: async () => {
      requireOpen()
      segments.clear()
      settled = { position: 0 }
      changes.remake()
    },
  }
}
