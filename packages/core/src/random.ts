/** Randomness comes in from outside, so that a run can be repeated. */
export interface Random {
  /** Fills the array with random bytes and gives it back. */
  fill(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>
}

/** Cryptographic randomness of the platform. */
export const systemRandom: Random = { fill: (bytes) => globalThis.crypto.getRandomValues(bytes) }

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
