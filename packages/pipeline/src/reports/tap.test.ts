import { describe, expect, it } from 'vitest'
import { createTap, keptEntriesMax, type TapEntry } from './tap.ts'

const entry = (at: number, workspaceId = 'w1'): TapEntry => ({
  at,
  workspaceId,
  sourceId: 's',
  messageId: `m${at}`,
  type: 'track',
  event: 'E',
  outcome: 'accepted',
  stage: 'ingest',
})
const times = (entries: readonly TapEntry[]) => entries.map(({ at }) => at)

describe('the tap', () => {
  it('keeps the last entries of each workspace, and returns those of several in order of time', () => {
    const tap = createTap()
    tap.show([entry(1), entry(4)])
    tap.show([entry(2, 'w2'), entry(3, 'w2')])
    expect(times(tap.last(['w1'], 10))).toEqual([1, 4])
    expect(times(tap.last(['w1', 'w2'], 3))).toEqual([2, 3, 4])
    tap.show(Array.from({ length: keptEntriesMax + 5 }, (_, at) => entry(at)))
    expect(times(tap.last(['w1'], keptEntriesMax))[0]).toBe(5)
    tap.forget('w1', 2_000)
    expect(tap.last(['w1'], 10)).toEqual([])
    expect(tap.last(['w2'], 10)).toHaveLength(2)
    // Accepted before, and delivered after it was forgotten.
    tap.show([{ ...entry(2_500), outcome: 'delivered', tookMs: 600 }, entry(2_600)])
    expect(times(tap.last(['w1'], 10))).toEqual([2_600])
  })

  it('wants every entry while someone watches, and else a hundred of a workspace in a second', () => {
    const tap = createTap()
    expect(tap.wanted('w1', 60, 1_000)).toBe(60)
    expect(tap.wanted('w1', 60, 1_999)).toBe(40)
    expect(tap.wanted('w1', 60, 1_999)).toBe(0)
    expect(tap.wanted('w2', 60, 1_999)).toBe(60)
    expect(tap.wanted('w1', 60, 2_000)).toBe(60)
    const leave = tap.open(['w1'], { show: () => {}, end: () => {} })
    expect(tap.wanted('w1', 600, 2_000)).toBe(600)
    leave?.()
    expect(tap.wanted('w1', 600, 2_000)).toBe(40)
  })
})
