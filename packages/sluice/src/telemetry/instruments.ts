import { defined } from '@sluice/core/defined'
import type { Telemetry, Work } from '@sluice/pipeline'
import type { Labels, measuredMetrics } from './metric-table.ts'

/** Receives measurements. */
export interface Instruments {
  add(name: 'sluice_stage_events_total', labels: Labels, value: number): void
  record(name: Exclude<keyof typeof measuredMetrics, 'sluice_stage_events_total'>, labels: Labels, value: number): void
}

/** Turns telemetry of the pipeline into measurements. @param now milliseconds of a monotonic clock. */
export function measureInto(instruments: Instruments, now = () => performance.now()): Telemetry {
  return {
    around: async (work, run) => {
      const startedAt = now()
      try {
        return await run()
      } finally {
        const seconds = (now() - startedAt) / 1_000
        if (work.kind === 'stage') instruments.record('sluice_stage_seconds', labelsOf(work), seconds)
        else {
          const labels = { ...labelsOf(work), kind: work.kind }
          instruments.record('sluice_work_seconds', labels, seconds)
          instruments.record('sluice_work_events', labels, work.inputs)
        }
      }
    },
    stageEnded: (work, outcomes) => {
      for (const [outcome, count] of Object.entries(outcomes))
        if (count > 0) instruments.add('sluice_stage_events_total', { ...labelsOf(work), outcome }, count)
    },
    caughtUp: ({ workspaceId: workspace, destinationId: destination, lagMs }) => {
      const seconds = Math.max(0, lagMs) / 1_000
      if (destination === undefined) instruments.record('sluice_observer_delay_seconds', { workspace }, seconds)
      else instruments.record('sluice_destination_delay_seconds', { workspace, destination }, seconds)
    },
  }
}

export function labelsOf({ workspaceId, sourceId, destinationId, stage }: Work): Labels {
  return defined({
    workspace: workspaceId,
    source: sourceId,
    destination: destinationId,
    stage,
  })
}
