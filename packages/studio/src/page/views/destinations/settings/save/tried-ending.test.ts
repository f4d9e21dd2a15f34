import type { DeliveryRequest } from '@sluice/destinations'
import { json } from '@sluice/destinations/kit'
import { describe, expect, it } from 'vitest'
import { triedEnding } from './tried-ending.ts'

const requestTo = (endpoint: string): DeliveryRequest => json({ method: 'POST', endpoint, headers: {}, body: {} })
const aborted = { error: 'error encountered in user_transformation stage. Aborting.' }

describe('what became of a tried event', () => {
  it('has the requests of all outputs, in their order', () => {
    const [a, b] = [requestTo('https://a.test/'), requestTo('https://b.test/')]
    const data = [{ dest_transformed_payload: [a] }, { dest_transformed_payload: [b] }]
    expect(triedEnding({ data })).toEqual({ outcome: 'passed', output: [], requests: [a, b] })
  })

  it('has the requests of the actions, where there are some', () => {
    const sent = requestTo('https://product.test/')
    const data = [{ dest_transformed_payload: [requestTo('action')], actions: [{ requests: [sent] }] }]
    expect(triedEnding({ data })).toMatchObject({ requests: [sent] })
  })

  it('is filtered when no output has a request, with the reason', () => {
    const data = [{ dest_transformed_payload: { error: 'the event was dropped in stage consent: not agreed' } }]
    expect(triedEnding({ data })).toEqual({ outcome: 'dropped', output: [], reason: 'not agreed' })
  })

  it('passes when only some of its outputs are filtered', () => {
    const data = [
      { dest_transformed_payload: { error: 'the event was dropped in stage consent: not agreed' } },
      { dest_transformed_payload: [requestTo('https://a.test/')] },
    ]
    expect(triedEnding({ data })).toMatchObject({ outcome: 'passed' })
  })

  it('failed when one output failed', () => {
    const data = [
      { dest_transformed_payload: [requestTo('https://a.test/')] },
      { dest_transformed_payload: { error: 'There is no e-mail address.' } },
    ]
    expect(triedEnding({ data })).toMatchObject({
      outcome: 'failed',
      error: { message: 'There is no e-mail address.' },
    })
  })

  it('says what user code did, not that later stages were left out', () => {
    const filtered = { error: 'the event was dropped in stage user transform: returned null' }
    expect(
      triedEnding({ data: [{ user_transformed_payload: filtered, dest_transformed_payload: aborted }] }),
    ).toMatchObject({ outcome: 'dropped', reason: 'returned null' })
    const threw = { error: 'TypeError: total is undefined' }
    expect(
      triedEnding({ data: [{ user_transformed_payload: threw, dest_transformed_payload: aborted }] }),
    ).toMatchObject({ outcome: 'failed', error: { message: 'TypeError: total is undefined' } })
  })
})
