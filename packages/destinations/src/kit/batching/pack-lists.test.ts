import type { JsonObject } from '@sluice/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { json } from '../map/request/delivery-request.ts'
import type { BatchEntry } from './batch-rule.ts'
import { type ListsRule, packLists } from './pack-lists.ts'

const entry = (index: number, body: JsonObject, isAlone = false): BatchEntry => ({
  index,
  userKey: `u${index}`,
  event: { type: 'track' },
  requests: [json({ method: 'POST', endpoint: 'https://api.test', body: { partner: 'p', ...body }, userId: 'u' })],
  isAlone,
})

const bodies = (rule: ListsRule, entries: readonly BatchEntry[]) =>
  packLists(rule)(entries, {}).map(({ requests: [request] }) => request?.body.JSON)

const listsMax = { users: 2, events: 3 }

describe('packLists', () => {
  it('joins the lists of a body, each up to its own maximum', () => {
    const entries = [
      entry(0, { users: ['a'], events: [1] }),
      entry(1, { events: [2, 3] }),
      entry(2, { users: ['b'] }),
      entry(3, { users: ['c'], events: [4] }),
    ]
    expect(bodies({ listsMax }, entries)).toEqual([
      { partner: 'p', users: ['a', 'b'], events: [1, 2, 3] },
      { partner: 'p', users: ['c'], events: [4] },
    ])
  })

  it('adds no list that no request has', () => {
    expect(bodies({ listsMax }, [entry(0, { users: ['a'] })])).toEqual([{ partner: 'p', users: ['a'] }])
  })

  it('never divides a request, so that a list that is too long is sent alone', () => {
    const entries = [entry(0, { events: [1] }), entry(1, { events: [2, 3, 4, 5] }), entry(2, { events: [6] })]
    expect(bodies({ listsMax }, entries).map((body) => body?.['events'])).toEqual([[1], [2, 3, 4, 5], [6]])
  })

  it('observes the other limits', () => {
    const entries = [0, 1, 2].map((index) => entry(index, { users: ['a'] }))
    const sizes = (rule: Partial<ListsRule>) => bodies({ listsMax: { users: 9 }, ...rule }, entries).length
    expect([sizes({}), sizes({ itemsMax: 2 }), sizes({ bytesMax: 70 }), sizes({ bytesMax: 1 })]).toEqual([1, 2, 2, 3])
  })

  it('finishes the joined request, which belongs to no single user', () => {
    const rule: ListsRule = { listsMax, finish: (request) => ({ ...request, endpointPath: '/batch' }) }
    const [batch] = packLists(rule)([entry(0, { users: ['a'] })], {})
    const [request] = batch?.requests ?? []
    expect(request).toMatchObject({ endpointPath: '/batch' })
    expect(request).not.toHaveProperty('userId')
  })

  it('loses nothing, keeps the order, and exceeds a maximum only with one request', () => {
    const list = fc.array(fc.constant(0), { maxLength: 4 })
    fc.assert(
      fc.property(fc.array(fc.record({ users: list, events: list }), { maxLength: 20 }), (given) => {
        let next = 0
        const numbered = given.map(({ users, events }) => ({
          users: users.map(() => next++),
          events: events.map(() => next++),
        }))
        const batches = packLists({ listsMax })(
          numbered.map((body, index) => entry(index, body)),
          {},
        )
        for (const [name, max] of Object.entries(listsMax)) {
          const sent = batches.map(({ requests: [request] }) => Object(request?.body.JSON)[name] ?? [])
          expect(sent.flat()).toEqual(numbered.flatMap((body) => Object(body)[name]))
          for (const [place, elements] of sent.entries()) {
            expect(elements.length <= max || batches[place]?.indexes.length === 1).toBe(true)
          }
        }
      }),
    )
  })
})
