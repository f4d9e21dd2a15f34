import { describe, expect, it } from 'vitest'
import { Fingerprinter } from './fingerprint.ts'

const secret = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)
/** The part of a fingerprint that chooses its segment has this many values. */
const segments = 256

describe('fingerprints', () => {
  it('are the same for the same secret, workspace and user, in every process', () => {
    const fingerprints = [new Fingerprinter(secret), new Fingerprinter(secret.slice())].map((each) =>
      each.of('w', 'user'),
    )
    expect(fingerprints[0]).toEqual(fingerprints[1])
    // Stores keep them: another hash would not find what an earlier release has stored.
    expect(fingerprints[0]).toEqual({ shard: 35_437, tail: 3_759_404_338 })
  })

  it('have 16 and 32 bits, for any text', () => {
    const fingerprinter = new Fingerprinter(secret)
    for (const user of ['', 'u', '\ud800', '😀'.repeat(500)]) {
      const { shard, tail } = fingerprinter.of('w', user)
      expect([shard >>> 16, tail >>> 0]).toEqual([0, tail])
    }
  })

  it('refuse a secret of another length', () => {
    for (const length of [0, 7, 9]) expect(() => new Fingerprinter(new Uint8Array(length))).toThrow(`not ${length}`)
  })

  it('differ for another secret or workspace', () => {
    const [one, two] = [1, 2].map((seed) => new Fingerprinter(new Uint8Array(8).fill(seed)))
    expect(one?.of('w', 'user')).not.toEqual(two?.of('w', 'user'))
    expect(one?.of('w1', 'user')).not.toEqual(one?.of('w2', 'user'))
    expect(one?.of('ab', 'c')).not.toEqual(one?.of('a', 'bc'))
  })

  it('are distributed evenly over segments', () => {
    const fingerprinter = new Fingerprinter(secret)
    const many = Array.from({ length: 256_000 }, (_, i) => fingerprinter.of('w', `user-${i}`))
    const counts = new Array<number>(segments).fill(0)
    for (const { shard } of many) counts[shard >>> 8] = (counts[shard >>> 8] ?? 0) + 1
    expect(Math.min(...counts)).toBeGreaterThan(850)
    expect(Math.max(...counts)).toBeLessThan(1_150)
  })
})
