import type { Stage } from '@sluice/core'
import type { Telemetry, Work } from '../ports/telemetry.ts'
import { wrapStage } from './wrap-stage.ts'

/** Returns the same stage, which reports its time and its outcomes. */
export function measuredStage<In, Out>(
  stage: Stage<In, Out>,
  { workspaceId, destinationId }: { readonly workspaceId: string; readonly destinationId: string },
  telemetry: Telemetry,
): Stage<In, Out> {
  return wrapStage(stage, async (batch, signal, onOutcome) => {
    const work: Work = { kind: 'stage', workspaceId, destinationId, stage: stage.name, inputs: batch.length }
    const outcomes = await telemetry.around(work, () => stage.run(batch, signal, onOutcome))
    const counts = { passed: 0, dropped: 0, failed: 0 }
    for (const { kind } of outcomes)
      if (kind === 'pass') counts.passed += 1
      else if (kind === 'drop') counts.dropped += 1
      else counts.failed += 1
    telemetry.stageEnded(work, counts)
    return outcomes
  })
}
