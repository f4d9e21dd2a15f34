import { describe, expect, it } from 'vitest'
import { destinationNumbers } from './destination-numbers.ts'
import type { History } from './history.ts'

const series = (destinationId: string | undefined, kind: string, counts: readonly number[]) =>
  ({
    ...(destinationId === undefined ? {} : { destinationId }),
    kind,
    counts,
    total: counts.reduce((sum, count) => sum + count, 0),
  }) as History['series'][number]
const history = (given: Partial<History>): History => ({
  workspaceId: 'main',
  slots: { from: 0, everyMs: 60_000, count: 3 },
  series: [],
  delays: [],
  oldestWaiting: [],
  ...given,
})

describe('numbers of a destination', () => {
  it('add up what came and what ended, of this destination alone', () => {
    const found = destinationNumbers(
      history({
        series: [
          series('hook', 'accepted', [3, 3, 0]),
          series('hook', 'replayed', [0, 1, 0]),
          series('hook', 'delivered', [2, 1, 0]),
          series('hook', 'dropped', [1, 0, 0]),
          series('hook', 'failed', [0, 0, 2]),
          series('other', 'delivered', [9, 9, 9]),
          series(undefined, 'accepted', [9, 9, 9]),
        ],
      }),
      'hook',
    )
    expect(found).toMatchObject({ came: 7, ended: 6, delivered: 3, filtered: 1, failed: 2 })
    expect(found.deliveredBySlot).toEqual([2, 1, 0])
  })

  it('add up what was delivered for different reasons, slot by slot', () => {
    const two = [series('hook', 'delivered', [1, 0, 2]), series('hook', 'delivered', [0, 5, 1])]
    expect(destinationNumbers(history({ series: two }), 'hook').deliveredBySlot).toEqual([1, 5, 3])
  })

  it('are zero where nothing came, with no delay', () => {
    expect(destinationNumbers(history({}), 'hook')).toEqual({
      came: 0,
      ended: 0,
      delivered: 0,
      filtered: 0,
      failed: 0,
      deliveredBySlot: [0, 0, 0],
      almostAllWithinMs: undefined,
    })
  })

  it('have the delay of a delivery rather than that of an answer', () => {
    const delayed = (of: string, ms: number) =>
      ({ destinationId: 'hook', of, almostAllWithinMs: ms }) as unknown as History['delays'][number]
    const both = history({ delays: [delayed('reply', 40), delayed('delivery', 900)] })
    expect(destinationNumbers(both, 'hook').almostAllWithinMs).toBe(900)
    expect(destinationNumbers(history({ delays: [delayed('reply', 40)] }), 'hook').almostAllWithinMs).toBe(40)
  })
})
