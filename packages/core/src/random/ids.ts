import type { Clock } from '../time/clock.ts'
import type { Random } from './random.ts'

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Formats 16 bytes as a UUID of the given version, setting its version and variant bits. RFC 9562. */
export function uuidOf(bytes: Uint8Array, version: 4 | 5 | 7): string {
  let text = ''
  for (let i = 0; i < 16; i += 1) {
    let byte = bytes[i] ?? 0
    if (i === 6) byte = (byte & 0x0f) | (version << 4)
    if (i === 8) byte = (byte & 0x3f) | 0x80
    text += hex[byte]
    if (i === 3 || i === 5 || i === 7 || i === 9) text += '-'
  }
  return text
}

/** Returns a random identifier, for records without an order. */
export function uuidV4(random: Random): string {
  return uuidOf(random.fill(new Uint8Array(16)), 4)
}

/**
 * Returns an identifier that sorts by creation time in milliseconds, for records that are listed by age.
 * @example
 * ```ts
 * import { createManualClock, createSeededRandom, uuidV7, uuidV7Time } from '@sluice/core'
 *
 * const id = uuidV7(createManualClock(1_767_225_600_000), createSeededRandom(1))
 * console.log(uuidV7Time(id)) // 1767225600000
 * ```
 */
export function uuidV7(clock: Clock, random: Random): string {
  const bytes = random.fill(new Uint8Array(16))
  let time = clock.now()
  for (let i = 5; i >= 0; i -= 1) {
    bytes[i] = time % 256
    time = Math.floor(time / 256)
  }
  return uuidOf(bytes, 7)
}

/** Returns a text that is before every `uuidV7` of a time or later, in milliseconds since 1970, and behind all earlier ones. */
export function uuidV7From(time: number): string {
  const digits = Math.max(0, time).toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}`
}

/** Returns the time of a `uuidV7`, in milliseconds since 1970. */
export function uuidV7Time(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}
