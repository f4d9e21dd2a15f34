import { describe, expect, it } from 'vitest'
import { createTextSearch } from './text-search.ts'

describe('a search for texts', () => {
  const { rangesIn, isIn, begunAtEndOf } = createTextSearch(['she', 'hers', 'he', ''])

  it('finds where they occur; overlapping ones are one range', () => {
    expect(rangesIn('ushers, he')).toEqual([
      [1, 6],
      [8, 10],
    ])
    expect(rangesIn('us')).toEqual([])
  })

  it('tells whether one occurs that is accepted, shorter ones at the same end included', () => {
    expect(isIn('ushers')).toBe(true)
    expect(isIn('us')).toBe(false)
    const seen: string[] = []
    const refuse = (start: number, end: number): boolean => {
      seen.push('ushers'.slice(start, end))
      return false
    }
    expect(isIn('ushers', refuse)).toBe(false)
    expect(seen).toEqual(['she', 'he', 'hers'])
    expect(isIn('ushers', (start) => start === 2)).toBe(true)
  })

  it('tells how much of one has begun at the end', () => {
    expect(['us', 'u', 'the', 'her', ''].map(begunAtEndOf)).toEqual([1, 0, 2, 3, 0])
  })
})
