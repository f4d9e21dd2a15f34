import type { CountedValue } from '../shapes/counted-value.ts'

/** Texts up to this length are hashed as a whole. */
const wholeLengthMax = 24
/** Characters of longer ones that are hashed: the last, and at most so many from all over the rest. */
const lastCharacters = 8
const otherCharactersMax = 12

const float = new Float64Array(1)
const words = new Int32Array(float.buffer)

/**
 * Returns 32 bits that are equal for equal values. It has no seed and reads few characters of long texts, so anybody can
 * make values of equal hashes: `ValueTable` compares the values themselves, and does without hashes where many are equal.
 */
export function valueHash(value: CountedValue): number {
  if (typeof value === 'string') return textHash(value)
  if (typeof value === 'boolean') return value ? 1 : 0
  // Adding 0 makes -0 equal to 0, as it is for a Map.
  float[0] = value + 0
  return mixed(mixed(words[0] ?? 0) ^ (words[1] ?? 0))
}

export function textHash(text: string): number {
  const { length } = text
  const rest = length > wholeLengthMax ? length - lastCharacters : 0
  let hash = length
  if (rest > 0) {
    const step = Math.ceil(rest / otherCharactersMax)
    for (let index = rest - 1; index >= 0; index -= step) hash = with16Bits(hash, text.charCodeAt(index))
  }
  for (let index = rest; index < length; index += 1) hash = with16Bits(hash, text.charCodeAt(index))
  return mixed(hash)
}

/** Multiplies by an odd number near the golden ratio of 32 bits, which spreads bits upwards. */
const with16Bits = (hash: number, bits: number): number => Math.imul(hash ^ bits, 0x9e3779b1) ^ (hash >>> 15)

/** Lets all bits depend on all others, because tables look at the lowest ones. As in MurmurHash3. */
function mixed(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  const whole = Math.imul(half ^ (half >>> 13), 0xc2b2ae35)
  return whole ^ (whole >>> 16)
}
