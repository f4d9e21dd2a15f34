import type { QueueState } from '@sluice/pipeline'
import type { Sample } from '../metric-table.ts'

/** Returns how far the consumers of a workspace are. */
export function queueSamples(workspace: string, queues: readonly QueueState[]): readonly Sample[] {
  return queues.flatMap(({ destinationId, lagMs, oldestMs, waiting }): readonly Sample[] => {
    const seconds = lagMs / 1_000
    if (destinationId === undefined)
      return [{ name: 'sluice_observer_lag_seconds', labels: { workspace }, value: seconds }]
    const labels = { workspace, destination: destinationId }
    return [
      { name: 'sluice_destination_waiting', labels, value: waiting },
      { name: 'sluice_destination_lag_seconds', labels, value: seconds },
      { name: 'sluice_destination_oldest_seconds', labels, value: oldestMs / 1_000 },
    ]
  })
}
