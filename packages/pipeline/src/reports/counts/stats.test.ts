import { describe, expect, it } from 'vitest'
import type { CountDelta } from '../../ports/stores/counter-store.ts'
import { toStats } from './stats.ts'

const row = (destinationId: string, kind: CountDelta['kind'], count: number, reason = ''): CountDelta => ({
  workspaceId: 'w',
  sourceId: 's',
  destinationId,
  kind,
  reason,
  count,
})

describe('stats', () => {
  it('arranges counters by source and destination, and says what is pending', () => {
    const counts = [
      row('', 'received', 10),
      row('', 'rejected', 1, 'bad'),
      row('', 'suppressed', 2),
      row('', 'accepted', 7),
    ]
    const at = [
      row('d', 'accepted', 7),
      row('d', 'delivered', 3),
      row('d', 'dropped', 1, 'x'),
      row('d', 'failed', 1, 'y'),
      // Tells the days of what is counted under `dropped`.
      row('d', 'suppressed', 1, '2026-01-01'),
      row('d', 'replayed', 2),
      row('d', 'forgotten', 1, 'age'),
    ]
    expect(toStats([...counts, ...at, row('d', 'outputs', 4)])).toEqual([
      {
        sourceId: 's',
        received: 10,
        rejected: { bad: 1 },
        suppressed: 2,
        duplicates: 0,
        largeNumbers: 0,
        invalidTimes: 0,
        countedOnly: 0,
        accepted: 7,
        destinations: [
          {
            destinationId: 'd',
            accepted: 7,
            replayed: 2,
            delivered: 3,
            dropped: { x: 1 },
            failed: { y: 1 },
            forgotten: { age: 1 },
            pending: 4,
            outputs: 4,
          },
        ],
      },
    ])
  })
  it('are empty before the first event', () => expect(toStats([])).toEqual([]))
})
