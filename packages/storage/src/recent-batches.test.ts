import type { LogBatch } from '@sluice/pipeline'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RecentBatches } from './recent-batches.ts'

const bytesMax = 100

const batchAt = (workspaceId: string, position: number): LogBatch => ({
  position,
  workspaceId,
  sourceId: 's',
  writeKey: 'k',
  receivedAt: 0,
  destinationIds: [],
  events: [{ type: 'page' }],
})

const step = fc.record({
  do: fc.constantFrom('add', 'add', 'add', 'drop', 'forget', 'read'),
  workspaceId: fc.constantFrom('w1', 'w2'),
  bytes: fc.integer({ min: 2, max: 40 }),
  /** Distance from the end. */
  behind: fc.nat(12),
})

describe('the recent batches', () => {
  it('return all batches after a position in order, or nothing, never a part', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const recent = new RecentBatches(bytesMax)
        const stored = new Map<string, { position: number; bytes: number }[]>([
          ['w1', []],
          ['w2', []],
        ])
        let end = 0
        for (const { do: action, workspaceId, bytes, behind } of steps) {
          const after = Math.max(0, end - behind)
          const of = stored.get(workspaceId) ?? []
          if (action === 'add') {
            end += 1
            of.push({ position: end, bytes })
            recent.add(batchAt(workspaceId, end), bytes)
          } else if (action === 'drop') {
            recent.drop(workspaceId, after)
            stored.set(
              workspaceId,
              of.filter(({ position }) => position > after),
            )
          } else if (action === 'forget') recent.forget(workspaceId)
          else {
            const read = recent.read(workspaceId, after, 3)
            if (read === undefined) continue
            const want = of.flatMap(({ position }) => (position > after ? position : [])).slice(0, 3)
            expect(read.map(({ position }) => position)).toEqual(want)
          }
        }
        const held = ['w1', 'w2'].flatMap((workspaceId) => {
          for (let after = 0; after <= end; after += 1) {
            const read = recent.read(workspaceId, after, Number.POSITIVE_INFINITY)
            if (read)
              return read.map(({ position }) => stored.get(workspaceId)?.find((each) => each.position === position))
          }
          return []
        })
        expect(held.reduce((sum, each) => sum + (each?.bytes ?? 0), 0)).toBeLessThanOrEqual(bytesMax)
      }),
    )
  })

  it('keep what fits, for consumers that are not far behind', () => {
    const recent = new RecentBatches(bytesMax)
    for (let position = 1; position <= 20; position += 1) recent.add(batchAt('w1', position), 10)
    expect(recent.read('w1', 9, 5)).toBeUndefined()
    expect(recent.read('w1', 10, 3)?.map(({ position }) => position)).toEqual([11, 12, 13])
    expect(recent.read('w1', 20, 3)).toEqual([])
  })

  it('make room for new ones by their age, in whichever log they are', () => {
    const recent = new RecentBatches(bytesMax)
    const add = (logId: string, from: number, to: number): void => {
      for (let position = from; position <= to; position += 1) recent.add(batchAt(logId, position), 10)
    }
    add('w1', 1, 5)
    add('w2', 6, 10)
    add('w1', 11, 15)
    expect(recent.read('w2', 5, 9)).toHaveLength(5)
    expect(recent.read('w1', 4, 9)).toBeUndefined()
    expect(recent.read('w1', 5, 9)).toHaveLength(5)
  })

  it('drop everything before a batch that arrives out of order', () => {
    const recent = new RecentBatches(bytesMax)
    recent.add(batchAt('w1', 2), 10)
    recent.add(batchAt('w1', 1), 10)
    expect(recent.read('w1', 0, 3)).toBeUndefined()
    expect(recent.read('w1', 1, 3)).toBeUndefined()
  })

  it('take no longer for a batch when there are many', () => {
    const recent = new RecentBatches(1_000_000)
    for (let position = 1; position <= 300_000; position += 1) recent.add(batchAt('w1', position), 5)
    expect(recent.read('w1', 299_000, 1)?.[0]?.position).toBe(299_001)
    recent.drop('w1', 299_999)
    expect(recent.read('w1', 299_999, 5)).toHaveLength(1)
    expect(recent.read('w1', 299_998, 5)).toBeUndefined()
  })
})
