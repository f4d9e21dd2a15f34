import type { Event } from '@sluice/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { batchesOf, quantile, spreadOrder } from './spread.ts'

const numbered = (count: number) => Array.from({ length: count }, (_, n): Event => ({ type: 'track', n }))

describe('the order in which events are measured', () => {
  it('has every event once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), (count) => {
        expect([...spreadOrder(count)].sort((a, b) => a - b)).toEqual([...Array(count).keys()])
      }),
    )
  })

  it('visits each tenth of the file early', () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 5_000 }), (count) => {
        const tenths = new Set(
          spreadOrder(count)
            .slice(0, 40)
            .map((index) => Math.floor((index / count) * 10)),
        )
        expect(tenths.size).toBe(10)
      }),
      { examples: [[402]] },
    )
  })
})

describe('batches', () => {
  it('are all full, contain every event, and the last is filled up from the beginning', () => {
    expect(batchesOf(numbered(5), 3)).toEqual([
      numbered(3),
      [
        { type: 'track', n: 3 },
        { type: 'track', n: 4 },
        { type: 'track', n: 0 },
      ],
    ])
    fc.assert(
      fc.property(fc.nat(50), fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 8 }), (more, size, least) => {
        const events = numbered(more + 1)
        const batches = batchesOf(events, size, least)
        expect(batches.length).toBe(Math.max(least, Math.ceil(events.length / size)))
        expect(new Set(batches.map(({ length }) => length))).toEqual(new Set([size]))
        expect(new Set(batches.flat())).toEqual(new Set(events))
      }),
    )
  })

  it('need events', () => {
    expect(() => batchesOf([], 1)).toThrow('a bench needs events')
  })
})

it('a quantile is the smallest value that a given share of values does not exceed', () => {
  const values = Array.from({ length: 200 }, (_, n) => n + 1)
  expect([0.5, 0.99, 1].map((share) => quantile(values, share))).toEqual([100, 198, 200])
  expect([quantile([7], 0.01), quantile([], 0.5)]).toEqual([7, Number.NaN])
})
