import type { JsonValue } from '@sluice/core'
import { describe, expect, it } from 'vitest'
import { jsonArray } from '../../map/request/delivery-request.ts'
import type { DestinationReply } from './reply.ts'
import { type RefusedItem, respondPerItem } from './respond-per-item.ts'

const request = jsonArray({ method: 'POST', endpoint: 'https://api.test', body: ['a', 'b', 'c'] })

const reply = (status: number, body: JsonValue = ''): DestinationReply => ({ status, headers: {}, body })

const respond = (refused?: readonly RefusedItem[]) => respondPerItem({ itemsIn: () => 3, refused: () => refused })

describe('respondPerItem', () => {
  it('returns a verdict per item', () => {
    const { outcome, status, items } = respond([{ index: 1, message: 'no name' }])(reply(207), request)
    expect([outcome, status]).toEqual(['delivered', 207])
    expect(items).toEqual([
      { outcome: 'delivered', status: 200, message: 'answered 200' },
      { outcome: 'aborted', status: 400, message: 'no name' },
      { outcome: 'delivered', status: 200, message: 'answered 200' },
    ])
  })

  it('derives the outcome of an item from its status', () => {
    const { items } = respond([
      { index: 0, status: 429, message: 'slowly' },
      { index: 2, status: 503, message: 'later' },
    ])(reply(207), request)
    expect(items?.map(({ outcome }) => outcome)).toEqual(['throttled', 'delivered', 'retry'])
  })

  it('refuses every item when none is named', () => {
    const { items } = respond([{ message: 'bad token' }])(reply(200), request)
    expect(items?.map(({ message }) => message)).toEqual(['bad token', 'bad token', 'bad token'])
  })

  it('ignores an item that was never sent', () => {
    const { items } = respond([
      { index: 3, message: 'odd' },
      { index: -1, message: 'odd' },
    ])(reply(207), request)
    expect(items?.map(({ outcome }) => outcome)).toEqual(['delivered', 'delivered', 'delivered'])
  })

  const silent = {
    200: 'delivered',
    204: 'delivered',
    400: 'aborted',
    302: 'aborted',
    429: 'throttled',
    408: 'retry',
    500: 'retry',
  }
  for (const [status, outcome] of Object.entries(silent)) {
    it(`judges ${status} as ${outcome} when the reply has no items`, () => {
      const verdict = respond()(reply(Number(status)), request)
      expect(verdict).toEqual({ outcome, status: Number(status), message: `answered ${status}` })
    })
  }
})
