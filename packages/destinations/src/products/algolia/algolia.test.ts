import { describe, expect, it } from 'vitest'
import { json } from '../../kit/index.ts'
import { respondToAlgolia } from './respond-to-algolia.ts'

describe('a refusal by Algolia', () => {
  const requestOf = (events: readonly { readonly index: string }[]) =>
    json({ method: 'POST', endpoint: 'https://insights.algolia.io/1/events', body: { events } })
  const refusal = { status: 422, headers: {}, body: {} }

  it('of many events makes each be sent again', () => {
    const { items } = respondToAlgolia(refusal, requestOf([{ index: 'a' }, { index: 'b' }]))
    expect(items?.map(({ outcome }) => outcome)).toEqual(['retry', 'retry'])
  })

  it('of one event is final', () => {
    expect(respondToAlgolia(refusal, requestOf([{ index: 'a' }]))).toMatchObject({ outcome: 'aborted', status: 422 })
  })
})
