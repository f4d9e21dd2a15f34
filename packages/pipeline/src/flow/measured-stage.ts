import type { Stage } from '@sluice/core'
import type { Telemetry, Work } from '../ports/telemetry.ts'

/** The same stage, with its time and its outcomes told. */
export function measuredStage<In, Out>(
  stage: Stage<In, Out>,
  { workspaceId, destinationId }: { readonly workspaceId: string; readonly destinationId: string },
  telemetry: Telemetry,
): Stage<In, Out> {
  return {
    name: stage.name,
    mutatesInput: stage.mutatesInput,
    async run(batch, signal) {
      const work: Work = { kind: 'stage', workspaceId, destinationId, stage: stage.name, inputs: batch.length }
      const outcomes = await telemetry.around(work, () => stage.run(batch, signal))
      const told = { passed: 0, dropped: 0, failed: 0 }
      for (const { kind } of outcomes)
        if (kind === 'pass') told.passed += 1
        else if (kind === 'drop') told.dropped += 1
        else told.failed += 1
      telemetry.stageEnded(work, told)
      return outcomes
    },
  }
}
