import { pass, type SourcedEvent, type Stage } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { type OwnStagePlace, stagesBeforeLog, stagesOfDestination } from './own-stages.ts'

const stageOf = (name: string, run: Stage<SourcedEvent>['run'] = async (batch) => batch.map((each) => pass(each))) => ({
  name,
  run,
})
const place: OwnStagePlace = {
  workspaceId: 'w',
  destination: { id: 'crm', name: 'CRM', type: 'WEBHOOK', settings: {} },
}
const live = new AbortController().signal

describe('stages of the embedding program', () => {
  it('keep their order and their names, and there may be none', () => {
    expect(stagesBeforeLog({ beforeLog: [stageOf('b'), stageOf('a-2')] }).map(({ name }) => name)).toEqual(['b', 'a-2'])
    expect([stagesBeforeLog(), stagesBeforeLog({}), stagesOfDestination({}, place)]).toEqual([[], [], []])
  })

  it('may be chosen for each destination', () => {
    const asked: unknown[] = []
    const perDestination = (given: OwnStagePlace) => {
      asked.push(given)
      return [stageOf(`for-${given.destination.id}`)]
    }
    expect(stagesOfDestination({ perDestination }, place).map(({ name }) => name)).toEqual(['for-crm'])
    expect(asked).toEqual([place])
  })

  const refused = [
    { names: [''], says: 'stages.beforeLog: the stage name "" must be lower-case letters, digits and -' },
    { names: ['Upper'], says: '"Upper"' },
    { names: ['-a'], says: '"-a"' },
    { names: ['x'.repeat(65)], says: 'must be lower-case' },
    { names: ['deliver'], says: 'deliver is taken by a built-in stage' },
    { names: ['a', 'b', 'a'], says: 'two stages have the name a' },
  ]
  for (const { names, says } of refused)
    it(`are refused when they are named ${names.join(', ').slice(0, 20)}`, () => {
      expect(() => stagesBeforeLog({ beforeLog: names.map((name) => stageOf(name)) })).toThrow(says)
    })

  it('name the destination where they are refused', () => {
    expect(() => stagesOfDestination({ perDestination: [stageOf('suppress')] }, place)).toThrow(
      'stages.perDestination of crm',
    )
  })

  it('fail a batch that takes longer than it may, and are asked to stop', async () => {
    let wasAborted = false
    const slow = stageOf('slow', (_, signal) => {
      signal.addEventListener('abort', () => {
        wasAborted = true
      })
      return new Promise(() => {})
    })
    const [stage] = stagesBeforeLog({ beforeLog: [slow], timeMs: 5 })
    await expect(stage?.run([], live)).rejects.toThrow('it took longer than 5 ms')
    expect(wasAborted).toBe(true)
  })

  it('see when the pipeline stops', async () => {
    const stopping = new AbortController()
    const waiting = stageOf(
      'waiting',
      (_, signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    )
    const [stage] = stagesBeforeLog({ beforeLog: [waiting] })
    const running = stage?.run([], stopping.signal)
    stopping.abort(new Error('the pipeline is stopping'))
    await expect(running).rejects.toThrow('the pipeline is stopping')
  })
})
