import { describe, expect, it } from 'vitest'
import { compareCodePoints, sortByCodePoints } from './compare-code-points.ts'

describe('compare code points', () => {
  const texts = [
    '',
    'a',
    'a\u0000',
    'aa',
    'B',
    'ä',
    '\ue000',
    '\uffff',
    '😀',
    'a😀',
    'a\uffee',
    '\ud7ff',
    '😀\ue000',
    '😁',
  ]

  it('agrees with the byte order of UTF-8', () => {
    const byBytes = texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    expect(texts.toSorted(compareCodePoints)).toEqual(byBytes)
    expect(texts.toReversed().sort(compareCodePoints)).toEqual(byBytes)
    expect(sortByCodePoints(texts)).toEqual(byBytes)
    expect(sortByCodePoints(['b', 'ä', 'B', ''])).toEqual(['', 'B', 'b', 'ä'])
  })

  it('returns 0 for equal texts', () => {
    for (const text of texts) expect(compareCodePoints(text, text)).toBe(0)
  })
})
