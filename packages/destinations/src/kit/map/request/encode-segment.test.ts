import { describe, expect, it } from 'vitest'
import { encodeSegment } from './encode-segment.ts'

describe('encodeSegment', () => {
  it('keeps a value within its segment', () => expect(encodeSegment('a/b?c#d@e é')).toBe('a%2Fb%3Fc%23d%40e%20%C3%A9'))

  it('accepts numbers', () => expect(encodeSegment(432)).toBe('432'))

  it('replaces a lone surrogate instead of throwing', () => expect(encodeSegment('a\ud800')).toBe('a%EF%BF%BD'))
})
