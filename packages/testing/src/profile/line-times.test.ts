import { describe, expect, it } from 'vitest'
import { lineTimes } from './line-times.ts'

describe('the time of lines without that of their marks', () => {
  it('is what was measured, where a step takes longer than a mark', () => {
    const lines = [
      { ms: 30, pieces: 10_000, hits: 10_000 },
      { ms: 2, pieces: 1, hits: 1 },
    ]
    expect(lineTimes(lines, 1, 22)).toEqual([
      { ms: 20, isCounted: false },
      { ms: 1.999, isCounted: false },
    ])
  })
  it('is shared by hits among lines whose steps are shorter than a mark, whatever chance has left of them', () => {
    const counts = (first: number, second: number) => [
      { ms: first, pieces: 10_000, hits: 10_000 },
      { ms: second, pieces: 20_000, hits: 30_000 },
    ]
    for (const lines of [counts(10.9, 20), counts(9, 21.9), counts(10, 20), counts(20, 40)])
      expect(lineTimes(lines, 1, 2)).toEqual([
        { ms: 0.5, isCounted: true },
        { ms: 1.5, isCounted: true },
      ])
  })
  it('leaves to short lines what the timed ones do not take, and no more than could be timed', () => {
    const lines = [
      { ms: 30, pieces: 10_000, hits: 10_000 },
      { ms: 1, pieces: 1_000, hits: 1_000 },
    ]
    const ofShort = (plainMs: number) => lineTimes(lines, 1, plainMs)[1]?.ms
    expect([ofShort(20.25), ofShort(20), ofShort(1_000)]).toEqual([0.25, 0, 0.5])
  })
  it('takes a mark for longer when the lines would otherwise take longer than the code without marks', () => {
    const lines = [
      { ms: 30, pieces: 10_000, hits: 10_000 },
      { ms: 20, pieces: 10_000, hits: 10_000 },
    ]
    expect(lineTimes(lines, 1, 20)).toEqual([
      { ms: 15, isCounted: false },
      { ms: 5, isCounted: true },
    ])
    // Three times as long at most, because more is not the mark.
    expect(lineTimes([{ ms: 30, pieces: 10, hits: 10 }], 1, 20)[0]?.ms).toBeCloseTo(29.97)
  })
})
