import { describe, expect, it } from 'vitest'
import { completeLimits, defaultSandboxLimits } from './sandbox-limits.ts'

describe('completeLimits', () => {
  it('uses the defaults for absent limits', () => {
    expect(completeLimits({ eventTimeMs: 5 })).toEqual({ ...defaultSandboxLimits, eventTimeMs: 5 })
  })
  it('refuses invalid limits by name', () => {
    expect(() => completeLimits({ memoryBytes: 1024 })).toThrow(/memoryBytes is 1024/)
    expect(() => completeLimits({ eventTimeMs: Number.NaN })).toThrow(RangeError)
    expect(() => completeLimits({ fanOutMax: 0 })).toThrow(RangeError)
  })
  it('allows at least two events of the largest size per batch', () => {
    const bytes = 64 * 1024 * 1024
    expect(completeLimits({ outputBytesPerEvent: bytes }).outputBytesPerBatch).toBe(2 * bytes)
    expect(() => completeLimits({ outputBytesPerEvent: 10, outputBytesPerBatch: 19 })).toThrow(/at least twice/)
  })
})
