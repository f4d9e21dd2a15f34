/** A source of randomness. It is passed in, so that a run can be repeated. */
export interface Random {
  /** Fills the array with random bytes and returns it. */
  fill(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>
}

/** Bytes fetched at a time: a platform call costs as much for 16 bytes as for a few thousand. */
const poolBytes = 4_096

/** Cryptographically secure randomness of the platform. */
export const systemRandom: Random = createPooledRandom()

function createPooledRandom(): Random {
  const pool = new Uint8Array(poolBytes)
  let used = poolBytes
  return {
    fill: (bytes) => {
      if (bytes.length > poolBytes) return globalThis.crypto.getRandomValues(bytes)
      if (used + bytes.length > poolBytes) {
        globalThis.crypto.getRandomValues(pool)
        used = 0
      }
      bytes.set(pool.subarray(used, used + bytes.length))
      // The bytes may become a secret, so no copy is kept.
      pool.fill(0, used, used + bytes.length)
      used += bytes.length
      return bytes
    },
  }
}

/**
 * Returns the same bytes for the same seed, for tests and benches; not for secrets. Mulberry32 (public domain).
 * @example
 * ```ts
 * import { createSeededRandom } from '@sluice/core'
 *
 * const bytes = createSeededRandom(7).fill(new Uint8Array(2))
 * console.log(bytes.join() === createSeededRandom(7).fill(new Uint8Array(2)).join()) // true
 * ```
 */
export function createSeededRandom(seed: number): Random {
  let state = seed >>> 0
  return {
    fill: (bytes) => {
      for (let i = 0; i < bytes.length; i += 1) {
        state = (state + 0x6d2b79f5) >>> 0
        let mixed = Math.imul(state ^ (state >>> 15), state | 1)
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
        bytes[i] = (mixed ^ (mixed >>> 14)) & 255
      }
      return bytes
    },
  }
}
