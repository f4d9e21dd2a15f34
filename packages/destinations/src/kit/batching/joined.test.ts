import { describe, expect, it } from 'vitest'
import { json } from '../map/request/delivery-request.ts'
import type { Batch } from './batch-rule.ts'
import { joined } from './joined.ts'

const request = (name: string) => json({ method: 'POST', endpoint: `https://${name}.test`, body: { name } })

const partsOf = (...indexes: number[]) => indexes.map((index) => ({ index, request: 0 }))

const batch = (name: string, ...indexes: number[]): Batch => ({
  requests: [request(name)],
  indexes,
  parts: [partsOf(...indexes)],
  batched: true,
})

const join = (...batches: Batch[]) => joined(() => batches)([], {})

describe('joined', () => {
  it('leaves batches that share no event unchanged', () => {
    const batches = [batch('a', 0, 1), batch('b', 2)]
    expect(join(...batches)).toEqual(batches)
  })

  it('joins batches that share an event, and names the events of each request', () => {
    expect(join(batch('a', 0, 2), batch('b', 1), batch('c', 2))).toEqual([
      { requests: [request('a'), request('c')], indexes: [0, 2], parts: [partsOf(0, 2), partsOf(2)], batched: true },
      batch('b', 1),
    ])
  })

  it('joins transitively and keeps the order of the requests', () => {
    expect(join(batch('a', 0), batch('b', 1), batch('c', 2), batch('d', 0, 2), batch('e', 2, 1))).toEqual([
      {
        requests: ['a', 'b', 'c', 'd', 'e'].map(request),
        indexes: [0, 1, 2],
        parts: [partsOf(0), partsOf(1), partsOf(2), partsOf(0, 2), partsOf(2, 1)],
        batched: true,
      },
    ])
  })
})
