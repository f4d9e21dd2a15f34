import { describe, expect, it } from 'vitest'
import { sink } from '../map/request/delivery-request.ts'
import { packLines } from './pack-lines.ts'

const entry = (index: number, endpoint: string, isAlone = false) => ({
  index,
  userKey: `u${index}`,
  event: { type: 'track' },
  requests: [
    sink({ method: 'PUT', endpoint, headers: { authorization: 'x' }, body: { lines: [{ index }] }, userId: 'u' }),
  ],
  isAlone,
})

const places = (batches: ReturnType<ReturnType<typeof packLines>>) =>
  batches.flatMap(({ requests }) => requests.map(({ endpoint, body }) => [endpoint, body.JSON['lines']]))

describe('packLines', () => {
  it('joins the lines of requests to the same place, in their order', () => {
    const batches = packLines({ itemsMax: 9, bytesMax: 999 })([entry(0, 's:a'), entry(1, 's:b'), entry(2, 's:a')], {})
    expect(places(batches)).toEqual([
      ['s:a', [{ index: 0 }, { index: 2 }]],
      ['s:b', [{ index: 1 }]],
    ])
    expect(batches[0]?.requests[0]).toMatchObject({ type: 'SINK', headers: { authorization: 'x' }, userId: '' })
  })

  it('observes the limits', () => {
    const entries = [0, 1, 2].map((index) => entry(index, 's:a'))
    expect(places(packLines({ itemsMax: 2, bytesMax: 999 })(entries, {}))).toHaveLength(2)
    expect(places(packLines({ itemsMax: 9, bytesMax: 50 })(entries, {}))).toHaveLength(2)
  })

  it('packs a line that failed before with others, because it cannot make them fail', () => {
    const rule = packLines({ itemsMax: 9, bytesMax: 999 })
    expect(places(rule([entry(0, 's:a', true), entry(1, 's:a')], {}))).toHaveLength(1)
  })

  it('supports a custom endpoint for a batch, and a custom rule for what is packed together', () => {
    const rule = packLines({
      place: ({ endpoint }) => endpoint.slice(0, 3),
      endpoint: (requests) => requests.map(({ endpoint }) => endpoint).join('+'),
      itemsMax: 9,
      bytesMax: 999,
    })
    expect(places(rule([entry(0, 's:a1'), entry(1, 's:a2')], {}))).toEqual([
      ['s:a1+s:a2', [{ index: 0 }, { index: 1 }]],
    ])
  })
})
