import { drop, fail, pass, type Stage } from '@sluice/core'
import { expect, it } from 'vitest'
import type { StageOutcomes, Telemetry, Work } from '../../ports/telemetry.ts'
import { measuredStage } from './measured-stage.ts'

const place = { workspaceId: 'w', destinationId: 'crm' }
const live = new AbortController().signal

function recording() {
  const begun: Work[] = []
  const ended: StageOutcomes[] = []
  const telemetry: Telemetry = {
    around: (work, run) => {
      begun.push(work)
      return run()
    },
    stageEnded: (_, outcomes) => ended.push(outcomes),
    caughtUp: () => {},
  }
  return { telemetry, begun, ended }
}

it('a measured stage answers as the stage does, and reports how many passed, were dropped and failed', async () => {
  const { telemetry, begun, ended } = recording()
  const outcomes = [pass(1, 2), drop('no'), fail({ code: 'transform.threw', message: 'x' }), pass(3)]
  const stage: Stage<number> = { name: 'own', run: async () => outcomes }
  const measured = measuredStage(stage, place, telemetry)
  expect(measured.name).toBe('own')
  expect(await measured.run([1, 2, 3, 4], live)).toBe(outcomes)
  expect(begun).toEqual([{ kind: 'stage', ...place, stage: 'own', inputs: 4 }])
  expect(ended).toEqual([{ passed: 2, dropped: 1, failed: 1 }])
})

it('a stage that throws has no outcomes to report', async () => {
  const { telemetry, ended } = recording()
  const broken: Stage<number> = { name: 'own', run: () => Promise.reject(new Error('bug')) }
  await expect(measuredStage(broken, place, telemetry).run([1], live)).rejects.toThrow('bug')
  expect(ended).toEqual([])
})
