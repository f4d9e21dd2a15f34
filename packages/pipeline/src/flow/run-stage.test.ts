import { drop, fail, pass, type Stage } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { runStage } from './run-stage.ts'

const live = new AbortController().signal
const tracked = (...items: readonly number[]) => items.map((item, i) => ({ origin: i + 10, item }))
const stage = (run: Stage<number>['run']): Stage<number> => ({ name: 'sample', run })

describe('the stage runner', () => {
  it('keeps under its origin whatever an item becomes', async () => {
    const twiceOdd = stage(async (batch) => batch.map((n) => (n % 2 ? pass(n, -n) : drop('even'))))
    const { passed, endings } = await runStage(twiceOdd, tracked(1, 2, 3), live)
    expect(passed).toEqual([
      { origin: 10, item: 1 },
      { origin: 10, item: -1 },
      { origin: 12, item: 3 },
      { origin: 12, item: -3 },
    ])
    expect(endings).toEqual([{ origin: 11, stage: 'sample', outcome: drop('even') }])
  })

  const broken = [
    {
      name: 'throws',
      run: async () => Promise.reject(new Error('wires crossed')),
      text: /sample is broken: wires crossed/,
    },
    { name: 'does not answer once per input', run: async () => [pass(1)], text: /1 outcomes for 2 inputs/ },
  ]
  for (const { name, run, text } of broken) {
    it(`fails every input of a stage that ${name}`, async () => {
      const { passed, endings } = await runStage(stage(run), tracked(1, 2), live)
      expect(passed).toEqual([])
      const failed = fail({ code: 'stage.broken', message: expect.stringMatching(text) as unknown as string })
      expect(endings.map(({ outcome }) => outcome)).toEqual([failed, failed])
    })
  }

  it('does not call a stage for nothing', async () => {
    const never = stage(() => Promise.reject(new Error('called')))
    expect(await runStage(never, [], live)).toEqual({ passed: [], endings: [] })
  })

  it('rejects once the signal aborts, so that results under way are discarded', async () => {
    const stopping = new AbortController()
    const slow = stage(async (batch) => {
      stopping.abort(new Error('stopping'))
      return batch.map((n) => pass(n))
    })
    await expect(runStage(slow, tracked(1), stopping.signal)).rejects.toThrow('stopping')
  })
})
