import type { Delivery } from '@sluice/delivery'
import { describe, expect, it } from 'vitest'
import { ResultBuilder } from './destination-result.ts'
import type { Ending } from './run-stage.ts'

const delivered: Delivery = { kind: 'delivered', status: 200, attempts: 1 }
const deferred: Delivery = {
  kind: 'deferred',
  event: {},
  userKey: 'u',
  attempts: 1,
  retryAfterMs: 0,
  done: [],
  cause: { code: 'deliver.unavailable', message: 'busy' },
}
const refusal = { code: 'deliver.refused', message: 'no' } as const
const dropped: Ending = { origin: 0, stage: 'permission', outcome: { kind: 'drop', reason: 'not wanted' } }
const failed: Ending = { origin: 0, stage: 'deliver', outcome: { kind: 'fail', error: refusal } }

function resultOf(build: (result: ResultBuilder) => void) {
  const result = new ResultBuilder(3)
  build(result)
  return result.build('deliver')
}

describe('the result of an event', () => {
  it('is delivered when nothing stopped it', () => {
    expect(resultOf(() => {})).toEqual({
      index: 3,
      outcome: 'delivered',
      stage: 'deliver',
      outputs: 0,
      deferrals: [],
      failed: [],
    })
  })

  it('counts every request of an action', () => {
    const counted = resultOf((result) => {
      result.delivered(delivered)
      result.delivered({ ...delivered, requests: 3 })
    })
    expect(counted).toMatchObject({ outcome: 'delivered', outputs: 4 })
  })

  it('is dropped only when nothing of it was delivered', () => {
    expect(resultOf((result) => result.ended(dropped))).toMatchObject({ outcome: 'dropped', stage: 'permission' })
    const partly = resultOf((result) => {
      result.ended(dropped, { event: {} })
      result.delivered(delivered)
    })
    expect(partly).toMatchObject({ outcome: 'delivered', outputs: 1 })
  })

  it('is failed when any output failed, in whatever order they ended', () => {
    for (const endings of [
      [dropped, failed],
      [failed, dropped],
    ]) {
      const result = resultOf((builder) => {
        builder.delivered(delivered)
        for (const ending of endings) builder.ended(ending, { event: { event: 'E' } })
      })
      expect(result).toMatchObject({ outcome: 'failed', stage: 'deliver', outputs: 1, ending: failed.outcome })
      expect(result.failed).toEqual([{ event: { event: 'E' }, stage: 'deliver', error: refusal }])
    }
  })

  it('names the first failure of several', () => {
    const second = { ...failed, stage: 'destination-transform' }
    const result = resultOf((builder) => {
      builder.ended(failed, { event: {} })
      builder.ended(second, { event: {} })
    })
    expect([result.stage, result.failed.length]).toEqual(['deliver', 2])
  })

  it('waits when any output is to be tried again, also beside one that failed', () => {
    const result = resultOf((builder) => {
      builder.ended(failed, { event: {} })
      builder.delivered(deferred)
    })
    expect(result).toMatchObject({ outcome: 'deferred', deferrals: [deferred] })
    expect(result.failed).toHaveLength(1)
  })

  it('counts the requests of an output that were delivered before it failed', () => {
    const error = { ...refusal, detail: { delivered: 2 } }
    expect(
      resultOf((builder) => builder.ended({ ...failed, outcome: { kind: 'fail', error } }, { event: {} })).outputs,
    ).toBe(2)
  })

  it('has no failed output when the whole event failed before it had any', () => {
    expect(resultOf((builder) => builder.ended(failed)).failed).toEqual([])
  })
})
