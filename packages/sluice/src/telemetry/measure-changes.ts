import type { Cluster } from '@sluice/pipeline'
import type { Instruments } from './instruments.ts'

export interface MeasuredChanges extends Pick<Cluster, 'passed'> {
  /** @param kind of the change for which the caller waits. */
  applied(kind: 'regulation' | 'code' | 'configuration'): Promise<void>
}

/** Waits for all processes of a cluster, and measures how long that takes, failures included. */
export function measureChanges(
  cluster: Pick<Cluster, 'applied' | 'passed'>,
  instruments: readonly Instruments[],
  now = () => performance.now(),
): MeasuredChanges {
  const measured = async (kind: string, wait: () => Promise<void>): Promise<void> => {
    const startedAt = now()
    try {
      await wait()
    } finally {
      const seconds = (now() - startedAt) / 1_000
      for (const each of instruments) each.record('sluice_cluster_change_seconds', { kind }, seconds)
    }
  }
  return {
    applied: (kind) => measured(kind, () => cluster.applied()),
    passed: (workspaceId, destinationId, signal) =>
      measured('passed', () => cluster.passed(workspaceId, destinationId, signal)),
  }
}
