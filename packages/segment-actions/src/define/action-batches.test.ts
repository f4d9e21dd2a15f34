import type { JsonObject } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { readActionRequest, toActionRequest } from '../send/action-request.ts'
import { actionBatches } from './action-batches.ts'

const type = 'segment/shop'
const batched = (payload: JsonObject, { action = 'send', subscription = 0 } = {}) =>
  toActionRequest(type, { kind: 'batch', action, subscription, payloads: [payload] })

/** Packs one request per event, and returns the payloads of each batch. */
function pack(requests: readonly ReturnType<typeof toActionRequest>[]) {
  const entries = requests.map((request, index) => ({
    index,
    requests: [request],
    event: {},
    userKey: `u${index}`,
    messageId: `m${index}`,
    isAlone: false,
  }))
  return actionBatches(type)(entries, {}).flatMap(({ requests: made, parts }) =>
    made.map((request, place) => ({
      content: readActionRequest(request),
      events: (parts[place] ?? []).map(({ index }) => index),
    })),
  )
}
const sizesOf = (requests: Parameters<typeof pack>[0]) => pack(requests).map(({ events }) => events.length)
const many = (count: number, payload: JsonObject = {}) => Array.from({ length: count }, () => batched(payload))

describe('batches of an action', () => {
  it('have the payloads in the order of their events', () => {
    expect(pack([batched({ n: 1 }), batched({ n: 2 })])).toEqual([
      { content: { kind: 'batch', action: 'send', subscription: 0, payloads: [{ n: 1 }, { n: 2 }] }, events: [0, 1] },
    ])
  })

  it('have batch_size payloads, by default 100, and never more than 5,000', () => {
    expect(sizesOf(many(5, { batch_size: 2 }))).toEqual([2, 2, 1])
    expect(sizesOf(many(101))).toEqual([100, 1])
    expect(sizesOf(many(5_001, { batch_size: 1e9 }))).toEqual([5_000, 1])
    for (const wrong of [0, -1, 'all', null]) expect(sizesOf(many(101, { batch_size: wrong }))).toEqual([100, 1])
  })

  it('have payloads with equal values of batch_keys', () => {
    const keyed = (list: string, n: number) => batched({ batch_keys: ['list', 'kind'], list, n })
    expect(pack([keyed('a', 1), keyed('b', 2), keyed('a', 3)]).map(({ events }) => events)).toEqual([[0, 2], [1]])
  })

  it('have payloads of one action and one subscription', () => {
    const requests = [batched({}), batched({}, { subscription: 1 }), batched({}, { action: 'other' }), batched({})]
    expect(pack(requests).map(({ events }) => events)).toEqual([[0, 3], [1], [2]])
  })

  it('have at most 4 MiB', () => {
    expect(sizesOf(many(3, { text: 'a'.repeat(1.5 * 1024 * 1024) }))).toEqual([2, 1])
  })

  it('leave requests of single events, refused ones and deletions alone, and unchanged', () => {
    const requests = [
      toActionRequest(type, { kind: 'one', action: 'send', subscription: 0, payload: { n: 1 } }),
      toActionRequest(type, { kind: 'one', action: 'send', subscription: 0, payload: { n: 2 } }),
      toActionRequest(type, { kind: 'refused', action: 'send', subscription: 0, refusal: 'no email' }),
      toActionRequest(type, { kind: 'deletion', payload: { userId: 'u1' } }),
    ]
    expect(pack(requests).map(({ content }) => content)).toEqual(requests.map(readActionRequest))
  })
})
