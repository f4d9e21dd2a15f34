import { type LoadAttempt, type LoadMark, type LoadStore, loadAttemptsMax } from '@sluice/pipeline/store'

export function createMemoryLoadStore(requireOpen: () => void): LoadStore {
  const consumers = new Map<string, readonly LoadMark[]>()
  const attempts = new Map<string, readonly LoadAttempt[]>()
  return {
    async begin(workspaceId, consumer, loads, passed = []) {
      requireOpen()
      const key = keyOf(workspaceId, consumer)
      const isPassed = ({ lane, loadId }: LoadMark): boolean =>
        passed.some((each) => each.lane === lane && each.loadId === loadId)
      const kept = (consumers.get(key) ?? []).filter((mark) => !isPassed(mark))
      const added = loads.map((load) => ({ ...load, isOver: false }))
      consumers.set(
        key,
        [...kept, ...added].sort((a, b) => a.lane - b.lane || (a.loadId < b.loadId ? -1 : 1)),
      )
    },
    async over(workspaceId, consumer, loadId) {
      requireOpen()
      const key = keyOf(workspaceId, consumer)
      const marks = consumers.get(key) ?? []
      consumers.set(
        key,
        marks.map((mark) => (mark.loadId === loadId ? { ...mark, isOver: true } : mark)),
      )
    },
    async begun(workspaceId, consumer) {
      requireOpen()
      return consumers.get(keyOf(workspaceId, consumer)) ?? []
    },
    async ended(workspaceId, consumer, attempt) {
      requireOpen()
      const key = keyOf(workspaceId, consumer)
      attempts.set(key, [structuredClone(attempt), ...(attempts.get(key) ?? [])].slice(0, loadAttemptsMax))
    },
    async attempts(workspaceId, consumer, max) {
      requireOpen()
      return attempts.get(keyOf(workspaceId, consumer))?.slice(0, max) ?? []
    },
    async forget(workspaceId, consumer) {
      requireOpen()
      consumers.delete(keyOf(workspaceId, consumer))
      attempts.delete(keyOf(workspaceId, consumer))
    },
  }
}

function keyOf(workspaceId: string, consumer: string): string {
  return JSON.stringify([workspaceId, consumer])
}
