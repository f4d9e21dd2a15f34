import { usePolled } from '../../../api/polled.ts'
import { request } from '../../../api/request.ts'
import type { KeyPath } from '../../../editor/event-paths.ts'

/** A model of the catalogue, with how often each key was seen. */
interface Model {
  readonly totalCount: number
  readonly keyCounts: Readonly<Record<string, number>>
}

/** Returns the key paths of all events that were seen, with the share of events that have them; none without the scope. */
export function useKeyPaths(): readonly KeyPath[] {
  const { value } = usePolled('key paths', readKeyPaths, 60_000).state.value
  return value ?? []
}

async function readKeyPaths(signal: AbortSignal): Promise<readonly KeyPath[]> {
  const { models } = await request<{ readonly models: readonly Model[] }>('/v2/catalogue/models?keys=true', { signal })
  const total = models.reduce((sum, { totalCount }) => sum + totalCount, 0)
  const counts = new Map<string, number>()
  for (const { keyCounts } of models)
    for (const [path, count] of Object.entries(keyCounts)) counts.set(path, (counts.get(path) ?? 0) + count)
  return [...counts].map(([path, count]) => ({ path, share: total === 0 ? 0 : count / total }))
}
