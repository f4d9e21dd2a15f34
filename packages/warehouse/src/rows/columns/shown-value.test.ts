import { describe, expect, it } from 'vitest'
import { shownValue } from './shown-value.ts'

describe('a shown value', () => {
  it('is short', () => {
    expect(shownValue(undefined)).toBe('missing')
    expect(shownValue('a')).toBe('"a"')
    expect(shownValue(null)).toBe('null')
    expect(shownValue({ a: 1 })).toBe('an object')
    expect(shownValue([1, 2])).toBe('a list of 2')
    expect(shownValue('a'.repeat(1_000)).length).toBeLessThan(110)
  })
})
