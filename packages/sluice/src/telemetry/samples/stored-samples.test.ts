import type { DestinationStats } from '@sluice/pipeline'
import { describe, expect, it } from 'vitest'
import { createStoredSamples } from './stored-samples.ts'

const destination: DestinationStats = {
  destinationId: 'd',
  accepted: 0,
  replayed: 0,
  delivered: 0,
  dropped: {},
  failed: {},
  forgotten: {},
  pending: 0,
  outputs: 0,
}

describe('reasons as labels', () => {
  it('keep their names while they are few; further ones share one label, and no counter ever decreases', async () => {
    let dropped: Record<string, number> = {}
    const read = createStoredSamples({
      engine: {
        reports: {
          stats: async () => [
            {
              sourceId: 's',
              received: 0,
              rejected: {},
              suppressed: 0,
              duplicates: 0,
              largeNumbers: 0,
              invalidTimes: 0,
              countedOnly: 0,
              accepted: 0,
              destinations: [{ ...destination, dropped }],
            },
          ],
          queues: async () => [],
        },
      },
      health: async () => [],
      usage: async () => [],
      deadLetters: { usage: async () => ({ letters: 0, bytes: 0, share: 0 }) },
      store: { lostBatches: async () => [] },
    })
    const samples = async () => {
      const samples = (await read(['w'])).filter(({ name }) => name === 'sluice_destination_dropped_total')
      return new Map(samples.map(({ labels, value }) => [labels['reason'] ?? '', value]))
    }
    const reasons = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, i) => [`reason ${from + i}`, 1]))
    dropped = reasons(10, 59)
    const before = await samples()
    expect([before.size, before.has('other')]).toEqual([49, false])
    dropped = reasons(0, 100)
    const after = await samples()
    expect([after.size, after.get('other')]).toEqual([51, 50])
    for (const [reason, count] of before) expect(after.get(reason)).toBeGreaterThanOrEqual(count)
  })
})

it('counts all acknowledged batches and commits ever found missing', async () => {
  const read = createStoredSamples({
    engine: { reports: { stats: async () => [], queues: async () => [] } },
    health: async () => [],
    usage: async () => [],
    deadLetters: { usage: async () => ({ letters: 0, bytes: 0, share: 0 }) },
    store: {
      lostBatches: async () => [
        { from: 3, to: 5, noticedAt: 1 },
        { from: 9, to: 9, noticedAt: 2 },
      ],
      lostCommits: async () => 7,
    },
  })
  expect(await read([])).toEqual([
    { name: 'sluice_log_batches_lost_total', labels: {}, value: 4 },
    { name: 'sluice_store_commits_lost_total', labels: {}, value: 7 },
  ])
})
