import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Fingerprint, Fingerprinter } from './fingerprint.ts'
import { FingerprintSet, segmentCount } from './fingerprint-set.ts'

const keyOf = ({ shard, tail }: Fingerprint): string => `${shard} ${tail}`
// A narrow range, so that equal and neighbouring values are common.
const fingerprints = fc.record({
  shard: fc.oneof(fc.integer({ min: 0, max: 65_535 }), fc.constantFrom(0, 1, 255, 256, 65_535)),
  tail: fc.oneof(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.constantFrom(0, 1, 2 ** 31, 2 ** 32 - 1)),
})

const spread = (count: number, from = 0): readonly Fingerprint[] => {
  const fingerprinter = new Fingerprinter(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8))
  return Array.from({ length: count }, (_, i) => fingerprinter.of('w', `user-${from + i}`))
}

describe('a fingerprint set', () => {
  it('counts each fingerprint as often as it was added and not removed', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fingerprints), { maxLength: 300 }), (steps) => {
        const set = new FingerprintSet()
        const model = new Map<string, number>()
        for (const [isAdded, fingerprint] of steps) {
          const count = model.get(keyOf(fingerprint)) ?? 0
          if (isAdded) set.add(fingerprint)
          else expect(set.remove(fingerprint)).toBe(count > 0)
          model.set(keyOf(fingerprint), Math.max(0, count + (isAdded ? 1 : -1)))
          expect(set.has(fingerprint)).toBe(model.get(keyOf(fingerprint)) !== 0)
        }
        for (const [, fingerprint] of steps) expect(set.has(fingerprint)).toBe((model.get(keyOf(fingerprint)) ?? 0) > 0)
        expect(set.size).toBe([...model.values()].reduce((sum, count) => sum + count, 0))
      }),
    )
  })

  it('finds all of many fingerprints, and very few others', () => {
    const set = new FingerprintSet()
    const all = spread(300_000)
    for (const fingerprint of all) set.add(fingerprint)
    expect(all.every((fingerprint) => set.has(fingerprint))).toBe(true)
    expect(spread(100_000, 300_000).filter((fingerprint) => set.has(fingerprint)).length).toBeLessThan(3)
    for (const fingerprint of all.slice(0, 150_000)) set.remove(fingerprint)
    expect(all.slice(150_000).every((fingerprint) => set.has(fingerprint))).toBe(true)
    expect(all.slice(0, 150_000).filter((fingerprint) => set.has(fingerprint)).length).toBeLessThan(3)
  })

  it('takes at most 12 bytes per fingerprint for many fingerprints', () => {
    const set = new FingerprintSet()
    for (const fingerprint of spread(1_000_000)) set.add(fingerprint)
    expect(set.byteLength / set.size).toBeLessThan(12)
  })

  it('stores a thousand equal fingerprints', () => {
    const set = new FingerprintSet()
    for (let i = 0; i < 5_000; i += 1) set.add({ shard: 3, tail: 4 })
    for (let i = 0; i < 4_999; i += 1) set.remove({ shard: 3, tail: 4 })
    expect([set.has({ shard: 3, tail: 4 }), set.size]).toEqual([true, 1])
  })

  it('is unchanged after its segments are written and read', () => {
    const set = new FingerprintSet()
    const all = spread(200_000)
    for (const fingerprint of all) set.add(fingerprint)
    const read = new FingerprintSet()
    for (let number = 0; number < segmentCount; number += 1)
      expect(read.readSegment(number, set.writeSegment(number))).toBe(true)
    expect([read.size, all.every((fingerprint) => read.has(fingerprint))]).toEqual([set.size, true])
    expect(read.changedSegments).toEqual([])
    read.add({ shard: 513, tail: 9 })
    expect(read.changedSegments).toEqual([2])
  })

  it('refuses segments that are truncated or detectably changed', () => {
    const set = new FingerprintSet()
    for (const fingerprint of spread(5_000)) set.add(fingerprint)
    const bytes = set.writeSegment(1)
    const read = new FingerprintSet()
    for (const bad of [new Uint8Array(0), bytes.slice(0, -1), Uint8Array.of(...bytes, 0), Uint8Array.of(9, 1, 2)])
      expect(read.readSegment(1, bad)).toBe(false)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
        read.readSegment(2, noise)
      }),
    )
  })
})
