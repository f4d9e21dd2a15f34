import type { Workspace } from '@sluice/core'
import { type DeletionJob, isDeletionOver, isDoneByHand, ownData, type Regulation } from '@sluice/regulation'
import type { RegulationReport } from '@sluice/regulation/deletion-report'

/** Returns a regulation and its deletions as the API shows them. */
export function deletionAnswer(
  { id, regulationType, attributes, canceled, createdAt }: Regulation,
  jobs: readonly DeletionJob[],
  workspace: Workspace,
): RegulationReport {
  return {
    regulation: { id, regulationType, attributes, canceled, createdAt },
    data: jobs.map((job) => ({
      destinationId: job.destinationId === ownData ? undefined : job.destinationId,
      destination: nameOf(workspace, job.destinationId),
      status: job.status,
      reason: job.reason,
      byHand: isDoneByHand(job) || undefined,
      attempts: job.attempts,
      nextAt: job.status === 'failed' ? new Date(job.dueAt).toISOString() : undefined,
      updatedAt: new Date(job.updatedAt).toISOString(),
    })),
    isOver: jobs.every(isDeletionOver),
  }
}

function nameOf({ destinations }: Workspace, destinationId: string): string {
  if (destinationId === ownData) return 'Sluice'
  return destinations.find(({ id }) => id === destinationId)?.name ?? destinationId
}
