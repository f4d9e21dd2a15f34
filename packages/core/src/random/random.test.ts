import { describe, expect, it } from 'vitest'
import { uuidV4 } from './ids.ts'
import { systemRandom } from './random.ts'

describe('system randomness', () => {
  it('never returns the same bytes twice', () => {
    const ids = Array.from({ length: 20_000 }, () => uuidV4(systemRandom))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('fills arrays of any length completely', () => {
    for (const length of [0, 1, 4_095, 4_096, 4_097, 65_536]) {
      const bytes = systemRandom.fill(new Uint8Array(length))
      expect(bytes).toHaveLength(length)
      // 64 zeros in a row do not happen by chance.
      for (let start = 0; start + 64 <= length; start += 64)
        expect(bytes.subarray(start, start + 64).some((byte) => byte !== 0)).toBe(true)
    }
  })
})
