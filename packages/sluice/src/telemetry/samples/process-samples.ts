import type { BudgetUsage, Cluster, EngineReports } from '@sluice/pipeline'
import type { Sample } from '../metric-table.ts'
import { budgetSamples } from './budget-samples.ts'
import { clusterSamples } from './cluster-samples.ts'
import type { MeasuredSamples } from './measured-samples.ts'
import { queueSamples } from './queue-samples.ts'

interface ProcessSamplesOptions {
  readonly engine: { readonly reports: Pick<EngineReports, 'queues'> }
  readonly cluster: Cluster | undefined
  readonly measured: MeasuredSamples
  /** What a workspace uses of the budgets of this process' memory. */
  memory(workspaceId: string): readonly BudgetUsage[]
}

/** Reads the figures of some workspaces that are of this process alone: all that the store does not have. */
export function createProcessSamples({ engine, cluster, measured, memory }: ProcessSamplesOptions) {
  return async (workspaceIds: readonly string[]): Promise<readonly Sample[]> => {
    const queues = await Promise.all(workspaceIds.map((id) => engine.reports.queues(id)))
    return [
      ...queues.flatMap((each, index) => queueSamples(workspaceIds[index] ?? '', each)),
      ...workspaceIds.flatMap((id) => budgetSamples(id, memory(id))),
      ...clusterSamples(cluster),
      ...measured.samples(workspaceIds),
    ]
  }
}
