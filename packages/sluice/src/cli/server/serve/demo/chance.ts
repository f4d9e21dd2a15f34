import { createSeededRandom } from '@sluice/core'

/** Returns numbers from 0 to below 1, the same ones in each run. */
export type Chance = () => number

export function createChance(seed: number): Chance {
  const random = createSeededRandom(seed)
  const word = new Uint32Array(1)
  const bytes = new Uint8Array(word.buffer)
  return () => {
    random.fill(bytes)
    return (word[0] ?? 0) / 2 ** 32
  }
}

/** Returns one of several. */
export function oneOf<T>(chance: Chance, ...all: readonly [T, ...T[]]): T {
  return all[Math.floor(chance() * all.length)] ?? all[0]
}
