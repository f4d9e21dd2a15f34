import type { Cluster } from '@sluice/pipeline'
import type { clusterMetrics, Sample } from '../metric-table.ts'

/** Returns the metrics of this process in its cluster; none without one. */
export function clusterSamples(
  cluster: Pick<Cluster, 'measures' | 'hasUnconfirmedLoss'> | undefined,
): readonly Sample[] {
  if (cluster === undefined) return []
  const { lanes, takenOver, refused, unknown, otherDefinitions, leaseLeftMs, nodes } = cluster.measures
  return [
    sample('sluice_cluster_loss_unconfirmed', cluster.hasUnconfirmedLoss ? 1 : 0),
    sample('sluice_cluster_nodes', nodes),
    sample('sluice_cluster_other_definitions', otherDefinitions),
    sample('sluice_cluster_lanes', lanes),
    sample('sluice_cluster_lanes_taken_over_total', takenOver),
    sample('sluice_cluster_refused_total', refused),
    sample('sluice_cluster_unknown_outcomes_total', unknown),
    sample('sluice_cluster_lease_seconds', leaseLeftMs / 1_000),
  ]
}

function sample(name: keyof typeof clusterMetrics, value: number): Sample {
  return { name, labels: {}, value }
}
