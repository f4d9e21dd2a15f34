import { describe, expect, it } from 'vitest'
import { bytesText } from './bytes-text.ts'
import { durationText } from './duration-text.ts'
import { shareText } from './share-text.ts'
import { shortCount } from './short-count.ts'

describe('numbers as texts', () => {
  it('are short where they are large, and never round up to the next unit', () => {
    expect([9_999, 10_000, 99_949, 123_456, 999_499, 999_500, 1_230_000].map(shortCount)).toEqual([
      '9,999',
      '10.0 k',
      '99.9 k',
      '123 k',
      '999 k',
      '1.00 M',
      '1.23 M',
    ])
  })

  it('are shares that are never nothing for something, nor all for not all', () => {
    expect([shareText(0, 5), shareText(1, 100_000), shareText(99_999, 100_000), shareText(5, 5)]).toEqual([
      '0 %',
      '< 0.1 %',
      '> 99.9 %',
      '100 %',
    ])
    expect([shareText(1, 3), shareText(0, 0)]).toEqual(['33.3 %', '–'])
  })

  it('have their unit', () => {
    expect([0, 0.44, 120.4, 1_400, 59_000, 180_000, 39_600_000].map(durationText)).toEqual([
      '0 ms',
      '0.4 ms',
      '120 ms',
      '1.4 s',
      '59 s',
      '3 min',
      '11 h',
    ])
    expect([bytesText(512), bytesText(1_572_864)]).toEqual(['512 B', '1.5 MiB'])
  })
})
