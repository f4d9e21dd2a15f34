import type { ClusterProcess, ClusterProcesses } from '@sluice/pipeline'
import type { Query } from '../connect/connect.ts'
import { type NodeStatus, readClusterNodes } from './cluster-status.ts'

/** Returns a function that reads the processes of a cluster. Calls at the same time share one wait for their beats. */
export function createShownProcesses(query: Query, nodeId: () => string): () => Promise<ClusterProcesses> {
  let reading: Promise<ClusterProcesses> | undefined
  const read = async (): Promise<ClusterProcesses> => {
    const { nodes, lanesWithoutOwner } = await readClusterNodes(query)
    return { processes: nodes.map((node) => processOf(node, nodeId())), lanesWithoutOwner }
  }
  return () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
}

function processOf(
  { id, beatAgeMs, silentMs = 0, lanes, isMember, isDraining, vitals }: NodeStatus,
  own: string,
): ClusterProcess {
  const alive = isDraining ? 'draining' : isMember ? 'serving' : 'starting'
  return {
    id,
    isThis: id === own,
    state: beatAgeMs === undefined ? 'silent' : alive,
    beatAgeMs: beatAgeMs ?? silentMs,
    lanes,
    ...(vitals ? { vitals } : {}),
  }
}
