import type { Outcome, Stage } from '@sluice/core'
import { deliverStageName } from '@sluice/delivery/flow'
import type { StageOutcomes, Telemetry, Work } from '../../ports/telemetry.ts'
import type { DestinationPath } from '../destination-path.ts'
import { wrapStage } from './wrap-stage.ts'

interface Place {
  readonly workspaceId: string
  readonly destinationId: string
}

/** Returns the same stage, which reports its time and its outcomes. */
export function measuredStage<In, Out>(stage: Stage<In, Out>, place: Place, telemetry: Telemetry): Stage<In, Out> {
  return wrapStage(stage, async (batch, signal) => {
    const work = workOf(stage.name, place, batch.length)
    const outcomes = await telemetry.around(work, () => stage.run(batch, signal))
    const counts = noOutcomes()
    for (const { kind } of outcomes) counts[countOf[kind]] += 1
    telemetry.stageEnded(work, counts)
    return outcomes
  })
}

/** The same for what sends. */
export function measuredSend(
  send: DestinationPath['send'],
  place: Place,
  telemetry: Telemetry,
): DestinationPath['send'] {
  return async (batch, { signal, settled }) => {
    const work = workOf(deliverStageName, place, batch.length)
    const counts = noOutcomes()
    const counted: typeof settled = (index, outcome) => {
      counts[countOf[outcome.kind]] += 1
      settled(index, outcome)
    }
    await telemetry.around(work, () => send(batch, { signal, settled: counted }))
    telemetry.stageEnded(work, counts)
  }
}

const countOf = { pass: 'passed', drop: 'dropped', fail: 'failed' } as const satisfies Record<
  Outcome<unknown>['kind'],
  keyof StageOutcomes
>

function noOutcomes(): Record<keyof StageOutcomes, number> {
  return { passed: 0, dropped: 0, failed: 0 }
}

function workOf(stage: string, { workspaceId, destinationId }: Place, inputs: number): Work {
  return { kind: 'stage', workspaceId, destinationId, stage, inputs }
}
