/** Randomness comes in from outside, so that a run can be repeated. */
export interface Random {
  /** Fills the array with random bytes and gives it back. */
  fill(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>
}

/** Bytes fetched at a time: a call of the platform costs as much for 16 bytes as for some thousand. */
const poolBytes = 4_096

/** Cryptographic randomness of the platform. */
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
      // What was given out is not kept: it may become a secret.
      pool.fill(0, used, used + bytes.length)
      used += bytes.length
      return bytes
    },
  }
}

/** The same bytes for the same seed, for tests and benches; not for secrets. Mulberry32 (public domain). */
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
