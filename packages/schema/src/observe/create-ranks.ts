import type { Random } from '@sluice/core'

/**
 * Creates a generator of uniform numbers in [0, 1) at a few nanoseconds each, seeded by `random`. SFC32 (public
 * domain); not for secrets.
 */
export function createRanks(random: Random): () => number {
  const seed = new Uint32Array(random.fill(new Uint8Array(16)).buffer)
  let [a = 0, b = 0, c = 0, counter = 0] = seed
  const next = (): number => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }
  for (let i = 0; i < 12; i += 1) next()
  // 53 bits, so that equal ranks are practically impossible.
  return () => (next() * 2 ** 21 + (next() >>> 11)) / 2 ** 53
}
