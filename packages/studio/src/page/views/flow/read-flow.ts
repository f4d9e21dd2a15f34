import type { HistoryAnswer, StatsAnswer } from '@sluice/http'
import { readAll } from '../../api/read-all.ts'
import { request } from '../../api/request.ts'
import { visitor } from '../../api/session.ts'
import type { FlowParts, Place, Wire } from './flow-model.ts'

/** What is set up: it changes seldom. */
type Setup = Pick<FlowParts, 'sources' | 'destinations' | 'wires'>

export async function readSetup(signal: AbortSignal): Promise<Setup> {
  const [sources, destinations, wires] = await Promise.all([
    readAll<Place>('/v2/sources', 'sources', signal),
    readAll<Place>('/v2/destinations', 'destinations', signal),
    readAll<Wire>('/v2/connections', 'connections', signal),
  ])
  return { sources, destinations, wires }
}

export async function readCounts(signal: AbortSignal): Promise<Pick<FlowParts, 'stats'>> {
  const { workspaces } = await request<StatsAnswer>('/v1/stats', { signal })
  return { stats: workspaces.find(isOwn)?.sources ?? [] }
}

export async function readHistory(signal: AbortSignal): Promise<Pick<FlowParts, 'points'>> {
  const { workspaces } = await request<HistoryAnswer>('/v1/history', { signal })
  return { points: workspaces.find(isOwn)?.points ?? [] }
}

function isOwn({ workspaceId }: { readonly workspaceId: string }): boolean {
  return workspaceId === visitor.value?.workspace.id
}
