import { createManualClock } from '@sluice/core'
import type { InTurns } from '@sluice/schema'
import { describe, expect, it } from 'vitest'
import { MainTurns } from '../../flow/main-turns.ts'
import type { LogBatch } from '../../ports/event-log.ts'
import { newestBatches } from './newest-batches.ts'

const batchOf = (position: number, events = 1): LogBatch => ({
  position,
  workspaceId: 'w',
  sourceId: 'web',
  writeKey: 'k',
  receivedAt: 0,
  destinationIds: [],
  events: Array.from({ length: events }, () => ({})),
})

function scene(batches: readonly LogBatch[], end = batches.at(-1)?.position ?? 0) {
  const clock = createManualClock()
  const log = {
    end: async () => end,
    read: async (_: string, after: number, limit: number) =>
      batches.filter(({ position }) => position > after).slice(0, limit),
  }
  const turns = new MainTurns()
  const engine = {
    inTurns:
      (id: string): InTurns =>
      (items, work) =>
        turns.each(id, items, work),
  }
  const newest = newestBatches(log, 'w', { clock, engine }, () => true)
  const positions = async () => {
    const seen: number[] = []
    for await (const { position } of newest.batches) seen.push(position)
    return seen
  }
  return { clock, newest, positions }
}

describe('the newest batches', () => {
  it('come from the end to the beginning, whatever lies between them', async () => {
    const places = [1, 2, 30, 31, 55, 90]
    const { newest, positions } = scene(
      places.map((place) => batchOf(place)),
      100,
    )
    expect([await positions(), newest.isCut()]).toEqual([places.toReversed(), false])
  })

  it('are none of an empty log', async () => {
    expect(await scene([]).positions()).toEqual([])
  })

  it('end after ten thousand positions, a hundred thousand events or three seconds, and say so', async () => {
    const far = scene([batchOf(1), batchOf(15_000)])
    expect([await far.positions(), far.newest.isCut()]).toEqual([[15_000], true])
    const many = scene(Array.from({ length: 60 }, (_, n) => batchOf(n + 1, 5_000)))
    expect([(await many.positions()).length, many.newest.isCut()]).toEqual([20, true])
    const slow = scene(Array.from({ length: 60 }, (_, n) => batchOf(n + 1)))
    let seen = 0
    for await (const _ of slow.newest.batches) {
      seen += 1
      slow.clock.advance(4_000)
    }
    expect([seen, slow.newest.isCut()]).toEqual([20, true])
  })
})
