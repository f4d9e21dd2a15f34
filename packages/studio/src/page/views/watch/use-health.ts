import type { CircuitsAnswer } from '@sluice/http'
import { usePolled } from '../../api/polled.ts'
import { request } from '../../api/request.ts'
import { visitor } from '../../api/session.ts'

const everyMs = 5_000

/** Reads every few seconds how the destinations do that are on; `circuits` is undefined until that is known. */
export function useHealth() {
  const { state, refresh } = usePolled('watch-health', readHealth, everyMs)
  const { value: circuits, error } = state.value
  return { circuits, error, refresh }
}

async function readHealth(signal: AbortSignal) {
  const { workspaces } = await request<CircuitsAnswer>('/v1/circuits', { signal })
  return workspaces.find(({ workspaceId }) => workspaceId === visitor.value?.workspace.id)?.destinations ?? []
}
